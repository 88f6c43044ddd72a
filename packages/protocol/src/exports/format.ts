import type { Pack } from '../bundle/format.js';
import type { LabDescription } from '../lab.js';
import type { RunNotebook } from '../notebook.js';
import type { RunRecord } from '../runs.js';
import type { FormatDescription } from './formats.js';

/** An item of a run's stream: an event as JSON text, or a binary frame. */
export interface ExportItem {
  seq: number;
  json: string | null;
  frame: Uint8Array | null;
}

/** A run as exporters see it. Both streams are read once, piece by piece: a run may be larger than memory. */
export interface ExportSource {
  run: RunRecord;
  items: () => AsyncIterable<ExportItem>;
  /** The bytes of the capture file. Throws AppError NO_CAPTURE if there is none. */
  capture: () => AsyncIterable<Uint8Array>;
  /** Name of this host, and version of Verbs Lab. */
  host: string;
  version: string;
  /** Runs of the programs at the other end. Only for a program. */
  peers: () => readonly string[];
  /** Notes and tags of people. */
  notebook: () => Pick<RunNotebook, 'tags' | 'notes'>;
  /** The lab in this version; null for programs and for labs of another version. */
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
