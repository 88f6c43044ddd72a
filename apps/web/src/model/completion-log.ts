import { decodeCompletions, type FrameHeader, type RunEventOf } from '@verbslab/protocol';
import { CompletionRing } from './completion-ring';

/** The completions of one run, folded from its stream, and what is missing of them. */
export class CompletionLog {
  readonly ring = new CompletionRing();
  /** Grows with every change. */
  version = 0;
  #lastSeq = 0;
  /** Records beyond the limit of the run that came or were announced, and no `dropped` event has named yet. */
  #beyond = 0;

  /** Place in the stream of the last item that is in here. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  frame({ seq, source, t, count, dropped }: FrameHeader, bytes: Uint8Array): void {
    // Detail beyond what is recorded comes live only, without a place in the stream: sequence number 0.
    if (seq !== 0 && !this.#isNew(seq)) return;
    this.ring.push(source, t, decodeCompletions(bytes), dropped);
    if (seq === 0) this.#beyond += count + dropped;
    this.version++;
  }

  /** This page was too slow, and the agent left detail out for it. */
  missed(records: number, recorded: boolean): void {
    if (!recorded) this.#beyond += records;
    this.ring.addDropped(records);
    this.version++;
  }

  /** The record lacks these; this page lacks only those that did not come live. */
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
