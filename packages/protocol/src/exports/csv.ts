import type { RunEventOf } from '../events.js';
import { decodeHeader, decodeSeries } from '../decode-frames.js';
import { FRAME_FLAGS, SERIES_FIELDS } from '../frames.js';
import type { ExportFormat } from './format.js';
import { FORMATS } from './formats.js';

type Source = RunEventOf<'source'>;

/** CPU in ns per ns is a number of CPUs; bits per ns are Gb/s. */
const RATES = ['throughputGbps', 'appCpus', 'nicCpus', 'kernelCpus'] as const;
const HEAD = ['seq', 'source', 'endpoint', 'transport', 'role', 'label', 'round', 'omitted', ...RATES];

/** Characters at the start of a text that spreadsheets treat as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell in the format of RFC 4180. */
function text(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A figure; an empty cell if it is unknown. */
const figure = (value: number): string => (Number.isFinite(value) ? String(value) : '');

export const csv: ExportFormat = {
  ...FORMATS.csv,
  async *write({ items }) {
    yield `${[...HEAD, ...SERIES_FIELDS].join(',')}\r\n`;
    const sources = new Map<number, Source>();
    for await (const { seq, json, frame } of items()) {
      if (json !== null) {
        const event = JSON.parse(json) as Source | { kind: '' };
        if (event.kind === 'source') sources.set(event.source, event);
        continue;
      }
      const { kind, source, flags } = decodeHeader(frame!);
      if (seq === 0 || kind !== 'series') continue;
      const from = sources.get(source);
      const head = [
        seq,
        source,
        text(from?.endpoint ?? ''),
        from?.transport ?? '',
        from?.role ?? '',
        text(from?.label ?? ''),
        from?.round ?? '',
        (flags & FRAME_FLAGS.omitted) === 0 ? 0 : 1,
      ];
      for (const record of decodeSeries(frame!)) {
        const { bytes, intervalNs, appNs, nicNs, kernelNs } = record;
        const rates = [bytes * 8, appNs, nicNs, kernelNs].map((sum) => figure(sum / intervalNs));
        yield `${[...head, ...rates, ...SERIES_FIELDS.map((field) => figure(record[field]))].join(',')}\r\n`;
      }
    }
  },
};
