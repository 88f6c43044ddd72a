import { isProgram, otherEnd, type AppError, type RunRecord } from '@verbslab/protocol';
import type { Logger } from 'pino';
import type { RunManager } from '../runs/manager.js';
import type { Joins } from './joins.js';

/** Ends of a connection that are joined without a question. A larger record takes a time that a person should choose. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Peers start together, so the other end is among this many latest runs. */
const NEAR = 64;

/** True if a run is one that the person sees by itself in the lists, as it was recorded here. */
const whole = (run: RunRecord): boolean =>
  isProgram(run) && run.state !== 'interrupted' && !run.imported && !run.parts && !run.partOf;

const bytesOf = ({ recordedBytes, capture }: RunRecord): number => recordedBytes + (capture?.bytes ?? 0);

/** The run to join with one that has ended: the other end of its connections, if that has ended too. */
function endFor(run: RunRecord, runs: readonly RunRecord[]): RunRecord | null {
  if (!whole(run)) return null;
  const other = otherEnd(run, runs);
  if (other === null || !whole(other) || bytesOf(run) + bytesOf(other) > MOST_BYTES) return null;
  return other;
}

/**
 * Joins server and client, two programs under `exec`, once both have ended. A run that was separated stays so: only the
 * end of a run leads to a join.
 */
export function joinEnds(manager: RunManager, joins: Joins, logger: Logger): void {
  let last = Promise.resolve();
  const join = async (ended: RunRecord): Promise<void> => {
    try {
      const run = manager.get(ended.id);
      const other = endFor(run, manager.list({ limit: NEAR }).runs);
      if (other !== null) await joins.join([run.id, other.id]);
    } catch (error) {
      // A person may have joined or deleted one of them in between. Both runs are there as they were.
      const { code } = error as AppError;
      logger.info({ run: ended.id, code }, 'the two ends of a connection were not joined');
    }
  };
  manager.on('ended', (run) => {
    if (whole(run)) last = last.then(() => join(run));
  });
}
