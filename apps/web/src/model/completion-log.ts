import { RequestLatencies } from '@verbslab/charts/data';
import { decodeCompletions, type FrameHeader, type RunEventOf } from '@verbslab/protocol';
import { CompletionRing } from './completion-ring';

/** Completions of a run, folded from its stream, with the number of missing ones. */
export class CompletionLog {
  readonly ring = new CompletionRing();
  /** Latencies of a program's requests; null for a lab, whose loops measure them. */
  readonly latencies: RequestLatencies | null;
  /** Number of changes. */
  version = 0;
  #lastSeq = 0;
  /** Records beyond the limit of the run that were received or announced, and that no `dropped` event has named yet. */
  #beyond = 0;

  constructor(ofProgram = false) {
    this.latencies = ofProgram ? new RequestLatencies() : null;
  }

  /** Sequence number of the last stream item in this log. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  frame({ seq, source, t, count, dropped }: FrameHeader, bytes: Uint8Array): void {
    // Records beyond the limit of the run are only sent live, and have no place in the stream: sequence number 0.
    if (seq !== 0 && !this.#isNew(seq)) return;
    const columns = decodeCompletions(bytes);
    this.ring.push(source, t, columns, dropped);
    this.latencies?.take(t, columns);
    if (seq === 0) this.#beyond += count + dropped;
    this.version++;
  }

  /** Counts records that the agent left out because this page was too slow. */
  missed(records: number, recorded: boolean): void {
    if (!recorded) this.#beyond += records;
    this.ring.addDropped(records);
    this.version++;
  }

  /** Counts records that are missing in the run's record. This page only lacks those that were not sent live either. */
  notRecorded({ seq, what, records }: RunEventOf<'dropped'>): void {
    if (what !== 'completions' || !this.#isNew(seq)) return;
    const known = Math.min(records, this.#beyond);
    this.#beyond -= known;
    if (records > known) this.ring.addDropped(records - known);
    this.version++;
  }

  #isNew(seq: number): boolean {
    if (seq <= this.#lastSeq) return false;
    this.#lastSeq = seq;
    return true;
  }
}
