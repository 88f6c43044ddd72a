import { decodeFile, decodePacket } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLOSED_AT_FIRST, visibleNodes } from '../src/packets/field-tree';
import { FilePackets, runPackets } from '../src/packets/rows';
import { both } from '../src/packets/use-filter';
import { PacketStore } from '../src/run/model/packet-store';

/** A capture of two kernels' rxe devices; see testdata/. */
function captured(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../../testdata/${name}`, import.meta.url)));
}

describe('packets of a file', () => {
  const decoded = decodeFile(captured('rxe-verbs-and-cm.pcap'));
  const rows = new FilePackets(decoded.packets, decoded.analysis.marks);

  it('lists all of them', () => {
    expect(rows.length).toBe(decoded.summary.packets);
    expect(rows.at(rows.length)).toBeUndefined();
  });

  it('opens the RDMA headers first and leaves the rest closed', () => {
    const index = decoded.packets.findIndex((p) => p.kind === 'write');
    const row = rows.at(index)!;
    const nodes = visibleNodes(decodePacket(row.data, row.linkType), CLOSED_AT_FIRST);
    const names = nodes.flatMap((n) => n.field?.name ?? []);
    expect(names).toContain('infiniband.bth.psn');
    expect(names.some((n) => n.startsWith('ip.'))).toBe(false);
    for (const n of nodes) expect(n.offset + n.length).toBeLessThanOrEqual(row.data.length);
  });
});

describe('a capture with losses', () => {
  const decoded = decodeFile(captured('rxe-write-8pc-loss.pcap'));
  const rows = new FilePackets(decoded.packets, decoded.analysis.marks);

  it('says which packets are retransmissions', () => {
    const again = decoded.packets.filter((p) => rows.marks(p.index).includes('retransmission'));
    expect(again.length).toBe(decoded.summary.retransmissions);
    expect(rows.remarks(again[0]!.index)[0]).toMatch(/^retransmission/);
  });
});

describe('packets of a run', () => {
  it('summarises a row when it is asked for, and says what was lost before it', () => {
    const decoded = decodeFile(captured('rxe-verbs-and-cm.pcap'));
    const write = decoded.packets.find((p) => p.kind === 'write')!;
    const bytes = write.data.subarray(14);
    const store = new PacketStore();
    store.push(1, [{ t: 1000, tapSeq: 0, direction: 'sent', flags: 2, origLen: bytes.length, bytes }], 3);
    const rows = runPackets(store);
    expect(runPackets(store)).toBe(rows);
    expect(rows.at(0)).toMatchObject({ kind: 'write', psn: write.psn, t: 1000 });
    expect(rows.remarks(0)).toEqual([
      'dropped by fault injection',
      '3 packets before this one were not captured',
    ]);
    rows.settle(() => []);
    expect(rows.marks(0)).toEqual([]);
  });
});

describe('what two lists of packets have in common', () => {
  it.each([
    [null, null, null],
    [[1, 2], null, [1, 2]],
    [null, [], []],
    [
      [0, 2, 4, 6],
      [1, 2, 3, 6, 9],
      [2, 6],
    ],
    [[5], [1, 2], []],
  ])('%j and %j: %j', (a, b, common) => {
    expect(both(a, b)).toEqual(common);
  });
});
