import type { Pack } from '../bundle/format.js';
import type { LabDescription } from '../lab.js';
import type { RunNotebook } from '../notebook.js';
import type { RunRecord } from '../runs.js';
import type { FormatDescription } from './formats.js';

/** One item of a run's stream: an event as JSON text, or a binary frame. */
export interface ExportItem {
  seq: number;
  json: string | null;
  frame: Uint8Array | null;
}

/** A run as exporters see it. Both streams are read once, a piece at a time: a run may be larger than memory. */
export interface ExportSource {
  run: RunRecord;
  items: () => AsyncIterable<ExportItem>;
  /** The bytes of the capture file. Throws AppError NO_CAPTURE where nothing was captured. */
  capture: () => AsyncIterable<Uint8Array>;
  /** Name of this host, and version of Verbs Lab. */
  host: string;
  version: string;
  /** Of a program: the runs of the programs at the other end. */
  peers: () => readonly string[];
  /** What people wrote about it. */
  notebook: () => Pick<RunNotebook, 'tags' | 'notes'>;
  /** As this version has it; null for programs and for labs of another version. */
  lab: () => LabDescription | null;
  pack: Pack;
}

export interface ExportFormat extends FormatDescription {
  write: (source: ExportSource) => AsyncIterable<string | Uint8Array>;
}

export const exportName = (
  { id }: Pick<RunRecord, 'id'>,
  { ending }: Pick<FormatDescription, 'ending'>,
): string => `verbslab-${id}${ending}`;
