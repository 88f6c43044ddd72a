import type { RunRecord } from '../runs.js';

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
}

export interface ExportFormat {
  /** As `verbslab runs export --format` and the address name it. */
  id: string;
  title: string;
  /** What is in the file, and what opens it. */
  holds: string;
  /** What the file's name ends in. */
  ending: string;
  mediaType: string;
  write: (source: ExportSource) => AsyncIterable<string | Uint8Array>;
}

export const exportName = ({ id }: Pick<RunRecord, 'id'>, { ending }: Pick<ExportFormat, 'ending'>): string =>
  `verbslab-${id}${ending}`;
