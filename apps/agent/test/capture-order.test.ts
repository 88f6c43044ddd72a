/** The order of the packets in the capture file of a run. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodePackets, type PacketRecord } from '@verbslab/protocol';
import { captureRecords } from '@verbslab/roce';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortCapture } from '../src/store/capture-order.js';
import { CaptureWriter } from '../src/store/capture.js';

const CREATED = 1_800_000_000_123;
const TAPS = ['server', 'client'];

interface Told {
  tap: 0 | 1;
  /** Nanoseconds of the run's clock at which the tap saw its packets. */
  times: number[];
}

const packet = (t: number, tapSeq: number): PacketRecord => ({
  t,
  tapSeq,
  direction: tapSeq % 2 === 0 ? 'sent' : 'received',
  flags: tapSeq % 3 === 0 ? 2 : 0,
  origLen: 200,
  bytes: new Uint8Array(60 + (tapSeq % 50)).fill(tapSeq),
});

function written(told: readonly Told[], as: 'finish' | 'close'): { path: string; file: Buffer } {
  const path = join(mkdtempSync(join(tmpdir(), 'verbslab-order-')), 'run.pcapng');
  const writer = new CaptureWriter(path, CREATED, TAPS);
  let tapSeq = 0;
  for (const { tap, times } of told) {
    const packets = times.map((t) => packet(t, tapSeq++));
    writer.add(encodePackets({ source: tap + 1, t: Math.min(...times) }, packets), TAPS[tap]!);
  }
  writer[as]();
  return { path, file: readFileSync(path) };
}

/** Packets of a file, with all fields. */
const packetsIn = (file: Buffer) =>
  Array.from(captureRecords(new Uint8Array(file)).records, ({ timeNs, data, ...rest }) => ({
    timeNs,
    data: Buffer.from(data).toString('hex'),
    interfaceId: rest.interfaceId,
    direction: rest.direction,
    comments: rest.comments,
    originalLength: rest.originalLength,
  }));

const told = fc.array(
  fc.record({
    tap: fc.constantFrom<0 | 1>(0, 1),
    times: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 8 },
);

describe('the capture of a run', () => {
  it('has its packets by time when the run has ended, each unchanged, those of one time as they came', () => {
    fc.assert(
      fc.property(told, (frames) => {
        const asTheyCame = packetsIn(written(frames, 'close').file);
        const { path, file } = written(frames, 'finish');
        const expected = asTheyCame.toSorted((a, b) => Number(a.timeNs - b.timeNs));
        expect(packetsIn(file)).toEqual(expected);
        expect(readdirSync(join(path, '..'))).toEqual(['run.pcapng']);
      }),
    );
  });

  it('stays as it is in another form, or cut', () => {
    const frames: Told[] = [
      { tap: 0, times: [5, 9] },
      { tap: 1, times: [4, 7] },
    ];
    const { path, file } = written(frames, 'close');
    const lengths = [file.length - 4, file.length - 30, 10, 0];
    for (const bytes of [
      ...lengths.map((length) => file.subarray(0, length)),
      Buffer.concat([file, file]),
      Buffer.from('no capture at all, but long enough to be looked at'),
    ]) {
      writeFileSync(path, bytes);
      sortCapture(path);
      expect(readFileSync(path)).toEqual(bytes);
    }
  });

  it('is sorted where it is larger than what is read at a time', () => {
    const { path, file } = written(
      Array.from({ length: 40 }, (_, i): Told => ({
        tap: i % 2 === 0 ? 0 : 1,
        times: Array.from({ length: 1000 }, (_, k) => ((i * 7919) % 40) * 1000 + k),
      })),
      'finish',
    );
    expect(file.length).toBeGreaterThan(3 << 20);
    const times = packetsIn(readFileSync(path)).map(({ timeNs }) => timeNs);
    expect(times).toHaveLength(40_000);
    expect(times.every((t, i) => i === 0 || times[i - 1]! <= t)).toBe(true);
  });
});
