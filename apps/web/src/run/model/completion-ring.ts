import { COMPLETION_FIELDS, type CompletionColumns, type CompletionField } from '@verbslab/protocol';

/** One completion as a list row shows it. */
export interface CompletionRow {
  /** Counts all completions of the run, from 1. */
  number: number;
  /** Nanoseconds since the run was created. */
  t: number;
  source: number;
  latency: number;
  wrId: number;
  qpn: number;
  opcode: number;
  status: number;
  byteLen: number;
  imm: number;
  batch: number;
}

/** A place in the stream where detail was lost. */
export interface Drop {
  /** Number of the completion after the gap. */
  before: number;
  records: number;
}

const MAX_DROPS = 64;

/**
 * The latest completions of a run, in columns. Counts are exact for all of them; the records themselves are
 * kept for the last `capacity`. Taking in a frame is eight column copies and one pass for the error count.
 */
export class CompletionRing {
  readonly capacity: number;
  readonly #columns: Record<CompletionField, Uint32Array>;
  readonly #t: Float64Array;
  readonly #source: Uint32Array;
  #total = 0;
  #errors = 0;
  #dropped = 0;
  readonly #drops: Drop[] = [];

  /** `capacity` is a power of two. */
  constructor(capacity = 65_536) {
    this.capacity = capacity;
    this.#columns = Object.fromEntries(
      COMPLETION_FIELDS.map((f) => [f, new Uint32Array(capacity)]),
    ) as Record<CompletionField, Uint32Array>;
    this.#t = new Float64Array(capacity);
    this.#source = new Uint32Array(capacity);
  }

  /** Completions received. */
  get total(): number {
    return this.#total;
  }
  /** Of those, with a status other than success. */
  get errors(): number {
    return this.#errors;
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
    for (let i = 0; i < n; i++) if ((meta[i]! & 0xff00) !== 0) errors++;
    this.#errors += errors;
    // Of a frame longer than the ring only the tail can stay.
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

  /** Marks that records are missing here. */
  addDropped(records: number): void {
    this.#dropped += records;
    const before = this.#total + 1;
    const last = this.#drops.at(-1);
    if (last?.before === before) last.records += records;
    else this.#drops.push({ before, records });
    if (this.#drops.length > MAX_DROPS) this.#drops.shift();
  }

  /** The k-th newest completion (0 is the newest), or null when it is not kept. */
  newest(k: number): CompletionRow | null {
    if (k < 0 || k >= this.length) return null;
    const number = this.#total - k;
    const i = (number - 1) % this.capacity;
    const c = this.#columns;
    const meta = c.meta[i]!;
    return {
      number,
      t: this.#t[i]!,
      source: this.#source[i]!,
      latency: c.latency[i]!,
      wrId: c.wrId[i]!,
      qpn: c.qpn[i]!,
      opcode: meta & 0xff,
      status: (meta >>> 8) & 0xff,
      byteLen: c.byteLen[i]!,
      imm: c.imm[i]!,
      batch: c.batch[i]!,
    };
  }

  /** A still copy, for a paused view. */
  freeze(): CompletionRing {
    const copy = new CompletionRing(this.capacity);
    for (const f of COMPLETION_FIELDS) copy.#columns[f].set(this.#columns[f]);
    copy.#t.set(this.#t);
    copy.#source.set(this.#source);
    copy.#total = this.#total;
    copy.#errors = this.#errors;
    copy.#dropped = this.#dropped;
    copy.#drops.push(...this.#drops.map((d) => ({ ...d })));
    return copy;
  }
}
