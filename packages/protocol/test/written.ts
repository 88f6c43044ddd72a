// Items of a run, and what an exporter makes of them.
import { SERIES_FIELDS, type SeriesRecord } from '../src/index.js';
import { EXPORT_FORMATS, type ExportItem, type ExportSource } from '../src/exports/index.js';

export const event = (body: object, index: number): ExportItem => ({
  seq: index + 1,
  json: JSON.stringify({ seq: index + 1, t: 0, ...body }),
  frame: null,
});

export const frame = (seq: number, bytes: Uint8Array): ExportItem => ({ seq, json: null, frame: bytes });

export const series = (t: number, more: Partial<SeriesRecord> = {}): SeriesRecord => ({
  ...(Object.fromEntries(SERIES_FIELDS.map((field) => [field, NaN])) as SeriesRecord),
  t,
  intervalNs: 1000,
  bytes: 500,
  appNs: 250,
  ...more,
});

export const source = {
  kind: 'source',
  source: 4,
  transport: 'rdma',
  role: 'client',
  what: 'loop',
  label: '=a,"b"',
  endpoint: 'client',
};

export async function write(id: string, items: readonly ExportItem[]): Promise<string> {
  const from = {
    run: { id: 'abcdefghij', lab: 'x', title: 'X', createdAt: 0 },
    host: 'here',
    version: '1.2.3',
    // oxlint-disable-next-line typescript/require-await
    items: async function* () {
      yield* items;
    },
    capture: () => {
      throw new Error('nobody asks for it');
    },
  } as unknown as ExportSource;
  let text = '';
  for await (const chunk of EXPORT_FORMATS.find((one) => one.id === id)!.write(from)) text += String(chunk);
  return text;
}
