import { COMPLETION_FIELDS, WC_FLUSH, type CompletionColumns } from '@verbslab/protocol';
import type { CompletionSnapshot, Drop } from './completion-snapshot';

const MAX_DROPS = 64;

/** Most QPs of a source that are tracked by number. */
export const MAX_QPNS = 1024;

/**
 * Latest completions of a run, in columns. Counts cover all completions; the records themselves are kept for the last
 * `capacity`. A frame costs eight column copies and a pass for the error count.
 */
export class CompletionRing {
  readonly capacity: number;
  readonly #columns: CompletionColumns;
  readonly #t: Float64Array;
  readonly #source: Uint32Array;
  #total = 0;
  #errors = 0;
  #flushes = 0;
  #dropped = 0;
  readonly #drops: Drop[] = [];
  readonly #qpns = new Map<number, Set<number>>();

  /** `capacity` is a power of two. */
  constructor(capacity = 65_536) {
    this.capacity = capacity;
    this.#columns = Object.fromEntries(
      COMPLETION_FIELDS.map((f) => [f, new Uint32Array(capacity)]),
    ) as CompletionColumns;
    this.#t = new Float64Array(capacity);
    this.#source = new Uint32Array(capacity);
  }

  /** Completions received. */
  get total(): number {
    return this.#total;
  }
  /** Completions with a status other than success or flush. */
  get errors(): number {
    return this.#errors;
  }
  /** Completions that were flushed because their QP had gone to ERR. */
  get flushes(): number {
    return this.#flushes;
  }
  /** Records that the sender or the recorder left out. */
  get dropped(): number {
    return this.#dropped;
  }
  get length(): number {
    return Math.min(this.#total, this.capacity);
  }
  get drops(): readonly Drop[] {
    return this.#drops;
  }

  push(source: number, baseT: number, columns: CompletionColumns, dropped: number): void {
    if (dropped > 0) this.addDropped(dropped);
    const n = columns.dt.length;
    const meta = columns.meta;
    let errors = 0;
    let flushes = 0;
    for (let i = 0; i < n; i++) {
      const status = meta[i]! & 0xff00;
      if (status !== 0) {
        errors++;
        if (status === WC_FLUSH << 8) flushes++;
      }
    }
    this.#errors += errors - flushes;
    this.#flushes += flushes;
    this.#see(source, columns.qpn);
    // A frame longer than the ring keeps only its tail.
    const skip = Math.max(0, n - this.capacity);
    let from = skip;
    let at = (this.#total + skip) % this.capacity;
    while (from < n) {
      const run = Math.min(n - from, this.capacity - at);
      for (const f of COMPLETION_FIELDS) this.#columns[f].set(columns[f].subarray(from, from + run), at);
      const dt = columns.dt;
      for (let i = 0; i < run; i++) this.#t[at + i] = baseT + dt[from + i]!;
      this.#source.fill(source, at, at + run);
      from += run;
      at = (at + run) % this.capacity;
    }
    this.#total += n;
  }

  #see(source: number, column: Uint32Array): void {
    let seen = this.#qpns.get(source);
    if (!seen) this.#qpns.set(source, (seen = new Set()));
    // A QP often has many completions in a row.
    let last = -1;
    for (const qpn of column) {
      if (qpn === last) continue;
      last = qpn;
      if (seen.size < MAX_QPNS) seen.add(qpn);
    }
  }

  /** Records a gap at this position. */
  addDropped(records: number): void {
    this.#dropped += records;
    const before = this.#total + 1;
    const last = this.#drops.at(-1);
    if (last?.before === before) last.records += records;
    else this.#drops.push({ before, records });
    if (this.#drops.length > MAX_DROPS) this.#drops.shift();
  }

  /** Frozen copy of the counts and of the newest `n` records. */
  snapshot(n: number): CompletionSnapshot {
    const held = Math.min(n, this.length);
    const from = (this.#total - held) % this.capacity;
    const first = Math.min(held, this.capacity - from);
    const copy = <A extends Uint32Array | Float64Array>(column: A, to: A): A => {
      to.set(column.subarray(from, from + first));
      to.set(column.subarray(0, held - first), first);
      return to;
    };
    return {
      total: this.#total,
      errors: this.#errors,
      flushes: this.#flushes,
      dropped: this.#dropped,
      kept: this.length,
      drops: this.#drops.map((d) => ({ ...d })),
      qpns: new Map([...this.#qpns].map(([source, seen]) => [source, [...seen]])),
      columns: Object.fromEntries(
        COMPLETION_FIELDS.map((f) => [f, copy(this.#columns[f], new Uint32Array(held))]),
      ) as CompletionColumns,
      t: copy(this.#t, new Float64Array(held)),
      source: copy(this.#source, new Uint32Array(held)),
    };
  }
}
