import { compileFilter, indexCapture } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addToBins, binWidth, emptyBins, firstFrom, rateUnit } from '../src/model/packet-bins';
import { WholeFile } from '../src/parts/packets/file-bytes';
import { advance, type Scan } from '../src/parts/packets/packet-scan';
import { packetsOf } from './packets-of';

const bytes = new Uint8Array(
  readFileSync(new URL('../../../testdata/rxe-write-8pc-loss.pcap', import.meta.url)),
);
const capture = indexCapture(bytes);
const rows = packetsOf(new WholeFile(bytes), capture);
const { durationNs, counts } = capture.diagnosis;

function binned(filter: string) {
  const bins = emptyBins(durationNs, binWidth(durationNs, 240));
  const scan: Scan = {
    rows,
    filter: filter === '' ? null : compileFilter(filter),
    see: (index) => addToBins(bins, rows, 0, index),
    at: 0,
  };
  while (advance(scan) !== true);
  return bins;
}
const sum = (values: Float64Array) => values.reduce((all, one) => all + one, 0);

describe('packets over time', () => {
  it('are counted once each, with their bytes on the wire', () => {
    const all = binned('');
    expect(all.packets.length).toBeLessThanOrEqual(241);
    expect(sum(all.packets)).toBe(rows.length);
    const length = Array.from({ length: rows.length }, (_, i) => rows.wireLength(i));
    expect(sum(all.bytes)).toBe(length.reduce((a, b) => a + b, 0));
    const third = rows.at(2)!;
    expect(all.packets[Math.floor(third.t / all.width)]).toBeGreaterThan(0);
  });

  it('are those that pass a filter, of bytes or of marks', () => {
    expect(sum(binned('vl.retransmission').packets)).toBe(counts.retransmissions);
    expect(sum(binned('vl.nak').packets)).toBe(counts.naks + counts.rnrNaks);
    const acks = binned('infiniband.bth.opcode == 17');
    const rest = binned('!(infiniband.bth.opcode == 17)');
    expect(sum(acks.packets)).toBeGreaterThan(0);
    const all = binned('');
    all.packets.forEach((n, i) => expect(acks.packets[i]! + rest.packets[i]!).toBe(n));
  });

  it('lead to the first listed packet from a time on', () => {
    const t = rows.at(40)!.t;
    expect(firstFrom(rows, null, 0, t)).toBe(40);
    expect(firstFrom(rows, [1, 50, 60], 0, t)).toBe(50);
    expect(firstFrom(rows, null, 0, durationNs + 1)).toBeNull();
  });
});

describe('the width of the bins', () => {
  it.each([
    [1e9, 5e6],
    [12_900_000, 1e5],
    [0, 1000],
    [240e6, 1e6],
  ])('of %d ns: %d ns', (duration, width) => {
    expect(binWidth(duration, 240)).toBe(width);
    expect(duration / width).toBeLessThanOrEqual(240);
  });
});

describe('the unit of a rate', () => {
  it('keeps at most three digits before the point', () => {
    expect(rateUnit('packets', 340_000)).toEqual({ name: 'thousand packets/s', per: 1e3 });
    expect(rateUnit('packets', 20)).toEqual({ name: 'packets/s', per: 1 });
    expect(rateUnit('bytes', 2.5e9)).toEqual({ name: 'GB/s', per: 1e9 });
  });
});
