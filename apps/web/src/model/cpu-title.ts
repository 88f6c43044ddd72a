import { isProgram } from '@verbslab/protocol';
import type { RunModel } from './run-model';

/** Whose CPU a run's charts show: a lab has both ends, a program its own processes. */
export function cpuTitle({ record, endpoints }: Pick<RunModel, 'record' | 'endpoints'>): string {
  if (!isProgram(record)) return 'CPU, both ends';
  const [only, ...others] = endpoints.keys();
  return only === undefined || others.length > 0 ? 'CPU of its processes' : `CPU of ${only}`;
}
