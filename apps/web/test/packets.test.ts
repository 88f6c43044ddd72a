import {
  compileFilter,
  decodeFile,
  decodePacket,
  indexCapture,
  LinkType,
  writePcapng,
  type KnownConnection,
} from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLOSED_AT_FIRST, sameIn, visibleNodes } from '../src/parts/packets/field-tree';
import { WholeFile } from '../src/parts/packets/file-bytes';
import { packetsOf } from './packets-of';
import { placeIn, runPackets, withoutArrivals, type PacketRows } from '../src/model/packet-rows';
import { both } from '../src/parts/packets/use-filter';
import { PacketStore } from '../src/model/packet-store';

/** A capture of two kernels' rxe devices; see testdata/. */
function captured(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../../testdata/${name}`, import.meta.url)));
}

const opened = (bytes: Uint8Array) => packetsOf(new WholeFile(bytes), indexCapture(bytes));

describe('packets of a file', () => {
  const decoded = decodeFile(captured('rxe-verbs-and-cm.pcap'));
  const rows = opened(captured('rxe-verbs-and-cm.pcap'));

  it('are those of the decoder, whatever the order in which they are asked for', () => {
    expect(rows.length).toBe(decoded.summary.packets);
    expect(rows.at(rows.length)).toBeUndefined();
    expect(rows.at(-1)).toBeUndefined();
    for (const row of [...decoded.packets.toReversed(), ...decoded.packets.slice(0, 50)])
      expect(rows.at(row.index)).toEqual(row);
    // A page that is drawn again gets the same row.
    expect(rows.at(7)).toBe(rows.at(7));
  });

  it('pass the same filters', () => {
    for (const text of [
      'infiniband.bth.opcode == 17',
      'frame.time_relative > 0.01',
      'frame.time_delta > 0.00001',
      'frame.number in {3..9}',
    ]) {
      const { matches } = compileFilter(text);
      const passing = decoded.packets
        .filter((row, i) => matches({ ...row, previousT: decoded.packets[i - 1]?.t }))
        .map((row) => row.index);
      expect(passing.length, text).toBeGreaterThan(0);
      expect(decoded.packets.map((row) => row.index).filter((i) => matches(rows.filtered(i)))).toEqual(
        passing,
      );
    }
  });

  it('are listed once where both ends were captured, and carry their comments', () => {
    const [first, second] = decoded.packets
      .filter(({ kind }) => kind === 'write')
      .map(({ data }) => ({ data: data.subarray(14) }));
    const twice = writePcapng(
      [{ linkType: LinkType.RAW }],
      [
        { timeNs: 5n, ...first!, direction: 'out' },
        { timeNs: 6n, ...first!, direction: 'in', comments: ['again'] },
        { timeNs: 7n, ...second!, direction: 'out' },
      ],
    );
    const both = opened(twice);
    expect(withoutArrivals(both)).toEqual([0, 2]);
    expect(both.at(1)).toMatchObject({ t: 1, timeNs: 6n, direction: 'in', comments: ['again'] });
    expect(both.prefix(1)).toBe('arrival: ');
    expect(both.remarks(1)[0]).toBe('again');
    expect(withoutArrivals(rows)).toBeNull();
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

  it('keeps the chosen field from packet to packet, where they have it', () => {
    const decodedAs = (kind: string) => {
      const { data, linkType } = decoded.packets.find((p) => p.kind === kind)!;
      return decodePacket(data, linkType);
    };
    const nodesOf = (kind: string) => visibleNodes(decodedAs(kind), new Set());
    for (const node of nodesOf('write')) expect(sameIn(decodedAs('write'), node)).toEqual(node);
    const psn = nodesOf('write').find(({ field }) => field?.name === 'infiniband.bth.psn')!;
    const other = sameIn(decodedAs('ack'), psn)!;
    expect(other.field).toMatchObject({ name: 'infiniband.bth.psn' });
    expect(other.field!.text).not.toBe(psn.field!.text);
    const rkey = nodesOf('write').find(({ field }) => field?.name === 'infiniband.reth.r_key')!;
    expect(sameIn(decodedAs('ack'), rkey)).toBeNull();
  });
});

describe('a capture with losses', () => {
  const decoded = decodeFile(captured('rxe-write-8pc-loss.pcap'));
  const rows = opened(captured('rxe-write-8pc-loss.pcap'));

  it('says which packets are retransmissions', () => {
    const again = decoded.packets.filter((p) => rows.marks(p.index).includes('retransmission'));
    expect(again.length).toBe(decoded.summary.retransmissions);
    expect(rows.remarks(again[0]!.index)[0]).toMatch(/^retransmission/);
  });
});

describe('packets of a run', () => {
  it('summarizes a row on demand, and says what was lost before it', () => {
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

  it('are followed again once more is known of their connections', () => {
    const decoded = decodeFile(captured('rxe-verbs-and-cm.pcap'));
    const write = decoded.packets.find((p) => p.kind === 'write')!;
    const bytes = write.data.subarray(14);
    const store = new PacketStore();
    store.push(1, [{ t: 1000, tapSeq: 0, direction: 'sent', flags: 0, origLen: bytes.length, bytes }], 0);
    const rows = runPackets(store);
    const namesOf = (analysis: ReturnType<typeof rows.analysis>) =>
      analysis!.connections.flatMap(({ ends }) => ends.map(({ name }) => name));
    const early = rows.analysis(() => []);
    expect(namesOf(early)).not.toContain('client');
    const known = (): KnownConnection[] => [
      {
        ends: [
          { ip: write.src, qpn: 1, name: 'client' },
          { ip: write.dst, qpn: write.destQp!, name: 'server' },
        ],
      },
    ];
    const late = rows.analysis(known);
    expect(namesOf(late)).toEqual(['client', 'server']);
    expect(rows.analysis(known)).toBe(late);
  });
});

describe('packets of a run and of its capture file', () => {
  // Each packet as it left one end, and as it came to the other.
  const copies = decodeFile(captured('rxe-write-8pc-loss.pcap'))
    .packets.slice(0, 400)
    .flatMap(({ data, t }) => [
      { t, direction: 'sent' as const, bytes: data.subarray(14) },
      { t: t + 400, direction: 'received' as const, bytes: data.subarray(14) },
    ])
    .toSorted((a, b) => a.t - b.t);
  const store = new PacketStore();
  copies.forEach(({ t, direction, bytes }, tapSeq) => {
    const packet = { t: 5e9 + t, tapSeq, direction, flags: 0, origLen: bytes.length, bytes };
    store.push(direction === 'sent' ? 1 : 2, [packet], 0);
  });
  store.settle();
  const run = runPackets(store);
  run.settle(() => []);
  const file = opened(
    writePcapng(
      [{ linkType: LinkType.RAW }],
      copies.map(({ t, direction, bytes }) => ({
        timeNs: 5_000_000_000n + BigInt(t),
        data: bytes,
        direction: direction === 'sent' ? 'out' : 'in',
      })),
    ),
  );

  it('have the same numbers, rows and remarks', () => {
    expect(run.length).toBe(file.length);
    for (let i = 0; i < run.length; i++) {
      // Only the reader of files checks the ICRC of each packet.
      const { t, data, timeNs: _, icrc: __, ...row } = file.at(i)!;
      const { t: runT, data: bytes, timeNs: ___, ...own } = run.at(i)!;
      expect(own).toEqual(row);
      expect(Buffer.compare(bytes, data)).toBe(0);
      expect(runT - run.zero).toBe(t);
      expect([run.prefix(i), run.remarks(i)]).toEqual([file.prefix(i), file.remarks(i)]);
    }
    expect(withoutArrivals(run)).toEqual(withoutArrivals(file));
    expect(withoutArrivals(run)!.length).toBe(400);
  });

  it('pass the same filters', () => {
    for (const text of [
      'infiniband.bth.opcode == 17',
      'frame.time_relative > 0.001',
      'frame.time_delta > 0.0000005',
      'frame.number in {3..9}',
      'frame.len > 100',
    ]) {
      const { matches } = compileFilter(text);
      const passing = (rows: PacketRows) =>
        Array.from({ length: rows.length }, (_, i) => i).filter((i) => matches(rows.filtered(i)));
      expect(passing(run).length, text).toBeGreaterThan(0);
      expect(passing(run), text).toEqual(passing(file));
    }
  });

  it('of the run tell who captured them, and when', () => {
    const { direction, t } = run.at(7)!;
    expect(run.source(7)).toBe(direction === 'out' ? 1 : 2);
    expect(run.time(7)).toBe(t);
    expect([run.source(run.length), run.time(run.length)]).toEqual([undefined, undefined]);
  });
});

describe('packets of several taps', () => {
  const bytes = decodeFile(captured('rxe-verbs-and-cm.pcap'))
    .packets.find((p) => p.kind === 'write')!
    .data.subarray(14);
  const push = (store: PacketStore, source: number, times: readonly number[]) => {
    const packet = { direction: 'sent', flags: 0, origLen: bytes.length, bytes } as const;
    store.push(
      source,
      times.map((t, tapSeq) => ({ ...packet, t, tapSeq })),
      0,
    );
  };
  const timesOf = (store: PacketStore) => store.all.map(({ t, source }) => [t, source]);

  it('come as they are reported, and are numbered by time once all are there', () => {
    const store = new PacketStore();
    push(store, 1, [100, 300, 500]);
    expect(store.numbered).toBe(true);
    // Less than the capture file can tell apart is one time: as they came.
    push(store, 2, [200, 299.8, 400]);
    expect(store.numbered).toBe(false);
    const early = runPackets(store);
    expect(early.at(3)!.t).toBe(200);
    store.settle();
    expect(timesOf(store)).toEqual([
      [100, 1],
      [200, 2],
      [300, 1],
      [299.8, 2],
      [400, 2],
      [500, 1],
    ]);
    expect(store.numbered).toBe(true);
    // A packet that was chosen before is found again.
    expect([...store.moved!]).toEqual([0, 2, 5, 1, 3, 4]);
    const late = runPackets(store);
    expect(late).not.toBe(early);
    expect(Array.from({ length: 6 }, (_, i) => late.at(i)!.index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(late.at(1)!.t).toBe(200);
  });

  it('stay as they are where they came in order', () => {
    const store = new PacketStore();
    push(store, 1, [100, 200]);
    push(store, 2, [200, 300]);
    const rows = runPackets(store);
    store.settle();
    expect(store.moved).toBeNull();
    expect(runPackets(store)).toBe(rows);
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

describe('the place of a packet in a list', () => {
  it('is found wherever it is, and only there', () => {
    const list = [1, 4, 5, 9];
    expect([0, 1, 2, 4, 5, 6, 9, 10].map((index) => placeIn(list, index))).toEqual([
      -1, 0, -1, 1, 2, -1, 3, -1,
    ]);
    expect(placeIn([], 3)).toBe(-1);
  });
});
