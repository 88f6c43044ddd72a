import type { RunEventOf } from '../events.js';
import { decodeHeader, decodeSeries } from '../decode-frames.js';
import { FRAME_FLAGS, SERIES_FIELDS } from '../frames.js';
import type { ExportFormat } from './format.js';
import { FORMATS } from './formats.js';

type Source = RunEventOf<'source'>;

/** Nanoseconds of CPU in a nanosecond are CPUs; bits in a nanosecond are Gb/s. */
const RATES = ['throughputGbps', 'appCpus', 'nicCpus', 'kernelCpus'] as const;
const HEAD = ['seq', 'source', 'endpoint', 'transport', 'role', 'label', 'round', 'omitted', ...RATES];

/** Spreadsheets take text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell as RFC 4180 has it. */
function text(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What is unknown is an empty cell. */
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
