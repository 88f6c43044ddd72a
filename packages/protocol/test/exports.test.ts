import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encodePackets, encodeSeries, FRAME_FLAGS, SERIES_FIELDS, type SeriesRecord } from '../src/index.js';
import { base64 } from '../src/exports/base64.js';
import { EXPORT_FORMATS, type ExportItem, type ExportSource } from '../src/exports/index.js';

const event = (body: object, index: number): ExportItem => ({
  seq: index + 1,
  json: JSON.stringify({ seq: index + 1, t: 0, ...body }),
  frame: null,
});
const wr = (posted: number, polled: number | null, more: object = {}): object => ({
  kind: 'wr',
  t: posted,
  endpoint: 'client',
  qpn: 17,
  wrId: posted,
  opcode: 'SEND',
  byteLen: 64,
  status: 0,
  posted,
  firstTx: null,
  lastTx: null,
  acked: null,
  cqe: null,
  polled,
  ...more,
});
const series = (t: number, more: Partial<SeriesRecord> = {}): SeriesRecord => ({
  ...(Object.fromEntries(SERIES_FIELDS.map((field) => [field, NaN])) as SeriesRecord),
  t,
  intervalNs: 1000,
  bytes: 500,
  appNs: 250,
  ...more,
});
const frame = (seq: number, bytes: Uint8Array): ExportItem => ({ seq, json: null, frame: bytes });

async function write(id: string, items: readonly ExportItem[]): Promise<string> {
  const source = {
    run: { id: 'abcdefghij', lab: 'x', title: 'X' },
    // eslint-disable-next-line @typescript-eslint/require-await
    items: async function* () {
      yield* items;
    },
    capture: () => {
      throw new Error('nobody asks for it');
    },
  } as unknown as ExportSource;
  let text = '';
  for await (const chunk of EXPORT_FORMATS.find((one) => one.id === id)!.write(source)) text += String(chunk);
  return text;
}

/** Chrome's Trace Event Format, as far as it is written: the members that each phase must have. */
const zPlace = { pid: z.int(), tid: z.int() };
const zTraceEvent = z.discriminatedUnion('ph', [
  z.strictObject({
    ph: z.literal('M'),
    name: z.enum(['process_name', 'thread_name']),
    ...zPlace,
    args: z.strictObject({ name: z.string() }),
  }),
  z.strictObject({
    ph: z.literal('X'),
    name: z.string(),
    ts: z.number().min(0),
    dur: z.number().min(0),
    ...zPlace,
    args: z.looseObject({}),
  }),
  z.strictObject({
    ph: z.literal('i'),
    s: z.literal('t'),
    name: z.string(),
    ts: z.number().min(0),
    ...zPlace,
    args: z.looseObject({}),
  }),
  z.strictObject({
    ph: z.literal('C'),
    name: z.string(),
    ts: z.number().min(0),
    ...zPlace,
    args: z.record(z.string(), z.number()),
  }),
  z.strictObject({ ph: z.enum(['B', 'E']), name: z.string(), ts: z.number().min(0), ...zPlace }),
]);
type TraceEvent = z.infer<typeof zTraceEvent>;
const zTrace = z.object({ displayTimeUnit: z.literal('ns'), traceEvents: z.array(zTraceEvent) });
const traceOf = async (items: readonly ExportItem[]): Promise<TraceEvent[]> =>
  zTrace.parse(JSON.parse(await write('trace', items))).traceEvents;

const source = {
  kind: 'source',
  source: 4,
  transport: 'rdma',
  role: 'client',
  what: 'loop',
  label: '=a,"b"',
  endpoint: 'client',
};

describe('base64', () => {
  it('is what Buffer makes of it', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
      }),
    );
  });
});

describe('JSON lines', () => {
  it('has an object for each item of the record, frames decoded, and nothing that was only shown live', async () => {
    const packet = {
      t: 5,
      tapSeq: 1,
      direction: 'sent',
      flags: 0,
      origLen: 3,
      bytes: Uint8Array.of(1, 2, 3),
    } as const;
    const text = await write('jsonl', [
      event({ kind: 'note', text: 'a\nb' }, 0),
      frame(2, encodePackets({ source: 4, t: 5, seq: 2 }, [packet])),
      frame(0, encodePackets({ source: 4, t: 5 }, [packet])),
    ]);
    expect(text.endsWith('\n')).toBe(true);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { seq: 1, t: 0, kind: 'note', text: 'a\nb' },
      { seq: 2, t: 5, kind: 'packets', packets: [{ bytes: 'AQID', direction: 'sent' }] },
    ]);
  });
});

describe('CSV', () => {
  it('has a row for each interval, rates beside what they come from, and empty cells for what is unknown', async () => {
    const items = [
      event(source, 0),
      frame(
        2,
        encodeSeries({ source: 4, t: 0, seq: 2, flags: FRAME_FLAGS.omitted }, [series(1000), series(2000)]),
      ),
    ];
    const [head, first, second, end] = (await write('csv', items)).split('\r\n');
    expect(end).toBe('');
    expect(second).toMatch(/,2000,1000,500,/);
    // What a spreadsheet would run is text, and quotes are doubled.
    expect(first).toMatch(/^2,4,client,rdma,client,"'=a,""b""",,1,4,0.25,,,1000,1000,500,,250,,/);
    expect(first!.replace(/"(""|[^"])*"/, '').split(',')).toHaveLength(head!.split(',').length);
  });
});

describe('a trace', () => {
  it('shows a request with the stages that are known, and nothing of the others', async () => {
    const events = await traceOf([event(wr(1000, 9000, { firstTx: 2000, cqe: 8000 }), 0)]);
    const slices = events.filter((one) => one.ph === 'X');
    expect(slices.map(({ name, ts, dur }) => [name, ts, dur])).toEqual([
      ['SEND', 1, 8],
      ['posted → first packet', 1, 1],
      ['first packet → CQE', 2, 6],
      ['CQE → polled', 8, 1],
    ]);
    expect(events.flatMap((one) => (one.ph === 'i' ? [one.name] : []))).toEqual([
      'posted',
      'first packet',
      'CQE',
      'polled',
    ]);
    expect(events.flatMap((one) => (one.ph === 'M' ? [one.args.name] : []))).toEqual([
      'client',
      'QP 0x11 requests',
    ]);
  });

  it('never lets slices of one row overlap unless one holds the other', async () => {
    const times = fc.array(fc.tuple(fc.nat(1000), fc.array(fc.nat(1000), { minLength: 5, maxLength: 5 })));
    await fc.assert(
      fc.asyncProperty(times, async (requests) => {
        const items = requests.map(([posted, [a, b, c, d, e]]) =>
          wr(posted, posted + e!, {
            firstTx: posted + a!,
            lastTx: posted + b!,
            acked: posted + c!,
            cqe: posted + d!,
          }),
        );
        const rows = new Map<string, { from: number; to: number }[]>();
        for (const one of await traceOf(items.map(event))) {
          if (one.ph !== 'X') continue;
          const row = rows.get(`${one.pid} ${one.tid}`) ?? [];
          rows.set(`${one.pid} ${one.tid}`, row);
          // Rounded to nanoseconds: sums of fractions are not exact.
          const slice = { from: Math.round(one.ts * 1000), to: Math.round((one.ts + one.dur) * 1000) };
          for (const other of row) {
            const [first, last] = other.from <= slice.from ? [other, slice] : [slice, other];
            const apart = last.from >= first.to;
            const held = last.to <= first.to || last.from === first.from;
            expect(apart || held).toBe(true);
          }
          row.push(slice);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('has calls, states, counters and CPU on the process of their endpoint', async () => {
    const cpu = (t: number, userNs: number): object => ({
      kind: 'cpu',
      t,
      endpoint: 'client',
      processUserNs: userNs,
      processSystemNs: 0,
      nicUserNs: null,
      nicKernelNs: null,
    });
    const events = await traceOf([
      ...[
        source,
        { kind: 'verb', t: 1000, endpoint: 'client', call: 'ibv_create_qp', args: {}, durationNs: 500 },
        {
          kind: 'qp',
          t: 2000,
          endpoint: 'client',
          qpn: 17,
          from: 'INIT',
          to: 'RTR',
          attrs: { path_mtu: 1024 },
        },
        { kind: 'counter', t: 3000, endpoint: 'client', when: 'before', values: { rx_packets: 7 } },
        cpu(4000, 100),
        cpu(5000, 600),
      ].map(event),
      frame(7, encodeSeries({ source: 4, t: 0, seq: 7 }, [series(9000)])),
    ]);
    expect(new Set(events.map(({ pid }) => pid)).size).toBe(1);
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ph: 'X', name: 'ibv_create_qp', ts: 1, dur: 0.5 }),
        expect.objectContaining({ ph: 'i', name: 'INIT → RTR', args: { path_mtu: 1024 } }),
        expect.objectContaining({ ph: 'C', name: 'rx_packets', args: { value: 7 } }),
        // True since the report before; what is unknown has no track.
        expect.objectContaining({
          name: 'CPUs of the process',
          ts: 4,
          args: { 'process user': 0.5, 'process system': 0 },
        }),
        expect.objectContaining({ ph: 'C', ts: 8, args: { application: 0.25 } }),
      ]),
    );
  });
});
