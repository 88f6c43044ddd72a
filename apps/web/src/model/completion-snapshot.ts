import { COMPLETION_FIELDS, type CompletionColumns } from '@verbslab/protocol';

/** A completion as a row of the list. */
export interface CompletionRow {
  /** Position among all completions of the run, from 1. */
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

/** A gap in the stream where detail was lost. */
export interface Drop {
  /** Number of the completion after the gap. */
  before: number;
  records: number;
}

/** Completions of a run at a moment: exact counts, and the newest records. */
export interface CompletionSnapshot {
  /** Completions received. */
  total: number;
  /** Completions with a status other than success or flush. */
  errors: number;
  /** Completions that were flushed because their QP had gone to ERR. */
  flushes: number;
  /** Records that the sender or the recorder left out. */
  dropped: number;
  /** Records that can be shown; `columns` has the newest of them. */
  kept: number;
  drops: readonly Drop[];
  /** QPs of each source whose completions it sent, up to `MAX_QPNS`. */
  qpns: ReadonlyMap<number, readonly number[]>;
  /** Records, oldest first. */
  columns: CompletionColumns;
  t: Float64Array;
  source: Uint32Array;
}

export const NO_COMPLETIONS: CompletionSnapshot = {
  total: 0,
  errors: 0,
  flushes: 0,
  dropped: 0,
  kept: 0,
  drops: [],
  qpns: new Map(),
  columns: Object.fromEntries(COMPLETION_FIELDS.map((f) => [f, new Uint32Array(0)])) as CompletionColumns,
  t: new Float64Array(0),
  source: new Uint32Array(0),
};

/** The k-th newest completion (0 is the newest); null if its record is not here. */
export function newest(s: CompletionSnapshot, k: number): CompletionRow | null {
  const i = s.t.length - 1 - k;
  if (k < 0 || i < 0) return null;
  const c = s.columns;
  const meta = c.meta[i]!;
  return {
    number: s.total - k,
    t: s.t[i]!,
    source: s.source[i]!,
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
