import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPacket, LinkType, reth, writePcap } from '@verbslab/roce';
import { expect, it } from 'vitest';
import { fcs, internetChecksum, mpaCrc, variantCrc } from '../src/encapsulations/checksums.js';
import { compose, cutUp, joined, type Part } from '../src/encapsulations/compose.js';
import { pauseFrame, pfcFrame } from '../src/encapsulations/pause.js';

const text = new TextEncoder().encode('123456789');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const frame = (parts: readonly Part[]): Uint8Array => joined(parts.map(({ bytes }) => bytes));

const written = (size: number) => {
  const packet = buildPacket({
    src: '192.0.2.1',
    dst: '192.0.2.2',
    bth: { opcode: 0x0a, destQp: 17, psn: 5, ackReq: true },
    headers: [reth.bytes({ va: 0x7f00_0000_1000n, rkey: 0x1234, dmaLength: size })],
    payload: new Uint8Array(size).fill(0xab),
  });
  return compose(cutUp(packet, 4, size), ['::ffff:192.0.2.1', '::ffff:192.0.2.2']);
};

it('computes the checksums of the catalogs of CRCs', () => {
  // Check values: CRC-32/ISO-HDLC, CRC-32/ISCSI; and the example of RFC 1071, complemented.
  expect(hex(fcs(text))).toBe('2639f4cb');
  expect(hex(mpaCrc(text))).toBe('839206e3');
  expect(hex(internetChecksum(Uint8Array.of(0, 1, 0xf2, 3, 0xf4, 0xf5, 0xf6, 0xf7)))).toBe('220d');
  // All bytes with their checksum behind them leave the same remainder.
  const residue = (bytes: Uint8Array): string => hex(variantCrc(joined([bytes, variantCrc(bytes)])));
  expect(residue(text)).toBe(residue(Uint8Array.of(1, 2)));
});

it('composes frames of the lengths that the headers add up to', () => {
  const all = written(32);
  expect(Object.fromEntries(Object.entries(all).map(([kind, parts]) => [kind, frame(parts).length]))).toEqual(
    {
      InfiniBand: 74,
      'RoCE v1': 122,
      'RoCE v2': 110,
      iWARP: 110,
    },
  );
  // LRH: VL 0, BTH follows, to LID 2, 18 words without the VCRC, from LID 1.
  expect(hex(all.InfiniBand[0]!.bytes)).toBe('0002000200120001');
});

it('writes PAUSE and PFC frames', () => {
  expect(hex(pauseFrame())).toBe('0180c20000010200000000018808' + '0001ffff');
  expect(hex(pfcFrame(3))).toBe(
    '0180c20000010200000000018808' + '01010008' + '000000000000ffff0000000000000000',
  );
});

const able = spawnSync('tshark', ['--version']).status === 0;

it.skipIf(!able)('is what tshark reads, with right checksums', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbslab-frames-'));
  try {
    const path = join(folder, 'frames.pcap');
    const all = written(30);
    const data = [
      frame(all['RoCE v1']),
      frame(all['RoCE v2']),
      frame(all.iWARP),
      joined([pfcFrame(3), fcs(pfcFrame(3))]),
    ];
    writeFileSync(
      path,
      writePcap(
        LinkType.ETHERNET,
        data.map((bytes) => ({ timeNs: 0n, data: bytes })),
      ),
    );
    // Status 1 of a checksum means that it is right.
    const fields = [
      'frame.protocols',
      'infiniband.bth.psn',
      'ip.checksum.status',
      'tcp.checksum.status',
      'eth.fcs.status',
      'macc.opcode',
    ];
    const { stdout } = spawnSync('tshark', [
      ...['-r', path, '-T', 'fields', '-o', 'ip.check_checksum:TRUE', '-o', 'tcp.check_checksum:TRUE'],
      ...['-o', 'eth.fcs:Always', '-o', 'eth.check_fcs:TRUE'],
      ...fields.flatMap((name) => ['-e', name]),
    ]);
    expect(
      String(stdout)
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t')),
    ).toEqual([
      ['eth:ethertype:infiniband:data', '5', '', '', '1', ''],
      ['eth:ethertype:ip:udp:infiniband:data', '5', '1', '', '1', ''],
      ['eth:ethertype:ip:tcp', '', '1', '1', '1', ''],
      ['eth:ethertype:macc', '', '', '', '1', '0x0101'],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
