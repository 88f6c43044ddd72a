import { isProgram } from '@verbslab/protocol';
import type { RunModel } from './run-model';

/** Title of a run's CPU chart: a lab has both ends, a program its own processes. */
export function cpuTitle({ record, endpoints }: Pick<RunModel, 'record' | 'endpoints'>): string {
  if (!isProgram(record)) return 'CPU, both ends';
  const [only, ...others] = endpoints.keys();
  return only === undefined || others.length > 0 ? 'CPU of its processes' : `CPU of ${only}`;
}
