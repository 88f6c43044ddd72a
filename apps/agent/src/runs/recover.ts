import { errorInfo, toErrorInfo, type EventBody, type RunRecord } from '@verbslab/protocol';
import { countCapture } from '../store/capture-files.js';
import { sortCapture } from '../store/capture-order.js';
import { StreamReader } from '../store/stream-reader.js';
import type { RunStore, UnfinishedRun } from '../store/store.js';
import { SoFar } from './so-far.js';

/**
 * Marks runs that the last agent left unfinished as interrupted, at the start of the agent. Their data up to the last
 * flush stay.
 */
export const interruptUnfinished = (store: RunStore): RunRecord[] =>
  store.unfinished().map((run) => interrupt(store, run));

function interrupt(store: RunStore, { record: kept, device, lastT }: UnfinishedRun): RunRecord {
  const error = errorInfo('INTERRUPTED');
  // The last packets came after the last flush: the file shows how many there are.
  const path = store.capturePath(kept.id);
  const found = countCapture(path);
  if (found) sortIfPossible(path);
  const capture = found && { ...found, dropped: kept.capture?.dropped ?? 0 };
  // The time of the agent's end is unknown; the last item that it wrote is the latest sign of it.
  const endedAt = Math.min(
    Date.now(),
    Math.max(kept.createdAt, kept.startedAt ?? 0, kept.createdAt + Math.round(lastT / 1e6)),
  );
  const record: RunRecord = { ...kept, capture, state: 'interrupted', endedAt, error };
  const { soFar, missing } = readSoFar(store, kept.number);
  const result = soFar && { ...soFar.result(record, device), captureFile: store.captureFile(kept.id) };
  const events: EventBody[] = [
    ...(missing === null ? [] : [{ kind: 'note' as const, text: `Figures are missing: ${missing}` }]),
    { kind: 'run.state', state: 'interrupted', error },
  ];
  const firstSeq = kept.lastSeq + 1;
  const items = events.map((event, index) => ({ seq: firstSeq + index, t: lastT, ...event }));
  store.flush(kept.number, {
    firstSeq,
    items: items.map((item) => ({ frame: false, bytes: Buffer.from(JSON.stringify(item)) })),
    lastT,
    recordedBytes: kept.recordedBytes,
    droppedRecords: kept.droppedRecords,
    capture,
  });
  store.save({ ...record, result });
  return { ...record, result, lastSeq: kept.lastSeq + items.length };
}

/** Reads the figures of a run so far. A single unreadable stream must not keep the agent from starting. */
function readSoFar(store: RunStore, run: number): { soFar: SoFar | null; missing: string | null } {
  try {
    return { soFar: new SoFar(new StreamReader(store, run, null, 1)), missing: null };
  } catch (error) {
    return { soFar: null, missing: toErrorInfo(error).message };
  }
}

/** Sorts a capture if possible. A full disk at start is no reason to stop: unsorted packets are useful, too. */
function sortIfPossible(capture: string): void {
  try {
    sortCapture(capture);
  } catch {
    // The capture stays unsorted.
  }
}
