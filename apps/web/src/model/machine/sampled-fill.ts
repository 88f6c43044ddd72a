/** Fill levels from the device's samples, where the record has no exact count of each request. */
import { isFinal, isProgram } from '@verbslab/protocol';
import type { QueueFillAt } from '@verbslab/report/queues';
import type { RunModel } from '../run-model';
import type { MachineObject, QueueName } from './object';
import type { Fill, Unknown } from './queue-fill';

/** Samples of a queue at the moment, and the reason for their absence. */
export type Samples = (object: MachineObject, queue: QueueName) => QueueFillAt | Unknown | null;

/** Samples of a run at a time; null where only the record of requests can tell. */
export function samplesAt(run: RunModel, at: number): Samples {
  const program = isProgram(run.record);
  return ({ endpoint, number }, kind) => {
    if (number !== null && run.queues.latest(endpoint) !== null)
      return run.queues.at({ endpoint, kind, number }, at);
    const told = run.endpoints.get(endpoint);
    if (!program || told === undefined) return null;
    if (told.providerClass !== 'user-space') return 'provider';
    return isFinal(run.record.state) ? null : 'before';
  };
}

/** The better of a fill level from recorded requests and from samples. `exactFirst`: each request was recorded. */
export function withSamples(fill: Fill, sample: QueueFillAt | Unknown | null, exactFirst: boolean): Fill {
  if (fill.is === 'exact' && (exactFirst || fill.basis === 'state')) return fill;
  if (sample === null || (fill.is === 'unknown' && fill.why === 'shared')) return fill;
  if (typeof sample === 'string') return fill.is === 'unknown' ? { is: 'unknown', why: sample } : fill;
  if (sample.is === 'known') return { is: 'exact', count: sample.used, basis: 'device' };
  // Between its measuring loops, a lab's calls tell.
  if (fill.is !== 'unknown' || exactFirst) return fill;
  return { is: 'unknown', why: sample.why === 'left-out' ? 'left-out' : 'before' };
}
