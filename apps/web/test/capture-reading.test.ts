import { buildPacket, decodePacket, indexCapture, LinkType, readCapture, writePcap } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { WholeFile } from '../src/parts/packets/file-bytes';
import { packetsOf } from './packets-of';
import { portsOf } from '../src/packets/roce-ports';
import { unpack } from '../src/parts/packets/unpack';
import { unreadable } from '../src/packets/unreadable';

const capture = new Uint8Array(
  readFileSync(new URL('../../../testdata/rxe-verbs-and-cm.pcap', import.meta.url)),
);
const packed = new Uint8Array(gzipSync(capture));
const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer());

describe('a capture that is compressed with gzip', () => {
  it('is unpacked, and another file is left as it is', async () => {
    const { file, damage } = await unpack(new Blob([packed]));
    expect(damage).toBeUndefined();
    expect(await bytesOf(file)).toEqual(capture);
    const plain = new Blob([capture]);
    expect(await unpack(plain)).toEqual({ file: plain });
  });

  it('is read up to where its data breaks off', async () => {
    const { file, damage } = await unpack(new Blob([packed.slice(0, packed.length / 2)]));
    expect(damage).toBeTruthy();
    const { records } = readCapture(await bytesOf(file));
    expect(records.length).toBeGreaterThan(50);
    expect(records[0]).toEqual(readCapture(capture).records[0]);
  });

  it('is read whole if it has several members, and up to what is no gzip data', async () => {
    const same = async (file: Blob) => Buffer.from(await file.arrayBuffer()).equals(capture);
    const half = capture.length / 2;
    const members = [capture.slice(0, half), capture.slice(half)].map((part) => gzipSync(part));
    const { file, damage } = await unpack(new Blob(members));
    expect(damage).toBeUndefined();
    expect(await same(file)).toBe(true);
    const more = await unpack(new Blob([...members, 'garbage']));
    expect(more.damage).toContain('what follows is no gzip data');
    expect(await same(more.file)).toBe(true);
    const cut = await unpack(new Blob([members[0]!, members[1]!.subarray(0, -4)]));
    expect(cut.damage).toBe('unexpected end of file');
    expect(await same(cut.file)).toBe(true);
  });

  it('is refused where it unpacks to too much', async () => {
    const bomb = new Blob([new Uint8Array(gzipSync(new Uint8Array(2 ** 22)))]);
    await expect(unpack(bomb, 2 ** 20)).rejects.toThrow(/unpacks to more than/);
    expect((await unpack(bomb, 2 ** 22)).file.size).toBe(2 ** 22);
  });
});

describe('RoCE ports', () => {
  it('are read from a list', () => {
    expect(portsOf('')).toEqual([]);
    expect(portsOf('4792, 1021')).toEqual([4792, 1021]);
    for (const wrong of ['roce', '4792,', '0', '65536', '1.5', Array(17).fill('7').join()])
      expect(portsOf(wrong), wrong).toBeNull();
  });

  it('hold for rows, filters and fields', () => {
    const data = buildPacket({ src: '10.0.0.1', dst: '10.0.0.2', bth: { opcode: 4, destQp: 2, psn: 3 } });
    data.set([0x12, 0xb8], 22);
    const bytes = writePcap(LinkType.RAW, [{ timeNs: 0n, data }]);
    const opened = (ports: number[]) =>
      packetsOf(new WholeFile(bytes), indexCapture(bytes, undefined, { ports }));
    expect(opened([]).at(0)).toMatchObject({ protocol: 'UDP' });
    const rows = opened([4792]);
    const row = rows.at(0)!;
    expect(row).toMatchObject({ protocol: 'RoCEv2', psn: 3 });
    expect(rows.filtered(0).ports).toEqual([4792]);
    expect(decodePacket(row.data, row.linkType, { ports: row.ports! }).layers.map(({ id }) => id)).toContain(
      'bth',
    );
  });
});

describe('a file with nothing to list', () => {
  const failure = (bytes: Uint8Array) => unreadable('a.pcap', indexCapture(bytes));
  const radio = writePcap(127, [{ timeNs: 0n, data: new Uint8Array(60) }]);

  it('is told apart: empty, of a link type that is not read, no capture', () => {
    expect(failure(writePcap(LinkType.RAW, []))).toMatchObject({
      what: 'a.pcap: The file holds no packet: nothing was diagnosed.',
      why: 'The capture saw none. Check its interface and its filter.',
    });
    expect(failure(radio)?.what).toContain('link type 127 (IEEE 802.11 radiotap) is not supported');
    expect(failure(new Uint8Array(100))).toMatchObject({
      what: 'a.pcap holds no packets that can be read.',
      why: expect.stringContaining('neither pcap nor pcapng') as string,
    });
    expect(failure(capture)).toBeNull();
  });
});
