import { indexCapture } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PartedFile } from '../src/parts/packets/file-bytes';
import { packetsOf } from './packets-of';

const MIB = 2 ** 20;

it('a file in parts has its bytes once they are loaded, across blocks too', async () => {
  const bytes = Uint8Array.from({ length: 3 * MIB + 5 }, (_, i) => (i * 31) >>> 8);
  const file = new PartedFile(new Blob([bytes]));
  for (const [offset, length] of [
    [0, 10],
    [MIB - 3, 6],
    [MIB - 1, MIB + 2],
    [3 * MIB, 5],
    [7, 0],
  ] as const) {
    await file.load(offset, length);
    expect(file.has(offset, length)).toBe(true);
    const part = bytes.subarray(offset, offset + length);
    expect(Buffer.compare(file.at(offset, length)!, part), `${length} bytes at ${offset}`).toBe(0);
  }
});

it('a file in parts keeps 32 MiB of it', async () => {
  const file = new PartedFile(new Blob([new Uint8Array(40 * MIB)]));
  expect(file.at(0, 4)).toBeNull();
  await file.load(0, 4);
  for (let number = 1; number < 40; number++) await file.load(number * MIB, 4);
  expect(file.has(0, 4)).toBe(false);
  expect(file.at(39 * MIB, 4)).toHaveLength(4);
});

const capture = readFileSync(new URL('../../../testdata/rxe-write-8pc-loss.pcap', import.meta.url));

it('a row comes after it was asked for, and a filter waits for it', async () => {
  const packets = packetsOf(new PartedFile(new Blob([capture])), indexCapture(capture));
  const come = new Promise<void>((resolve) => packets.subscribe(resolve));
  expect(packets.at(3)).toBeUndefined();
  await come;
  expect(packets.at(3)).toMatchObject({ index: 3, kind: expect.any(String) as string });
  const fresh = packetsOf(new PartedFile(new Blob([capture])), indexCapture(capture));
  await fresh.ready(0, 10);
  expect(fresh.ready(0, 10)).toBeNull();
  expect(fresh.filtered(3).data).toEqual(packets.at(3)!.data);
});

it('says that the file is gone', async () => {
  const gone = Object.assign(new Blob([]), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new Error()) }),
  });
  const packets = packetsOf(new PartedFile(gone), indexCapture(capture));
  const told = new Promise<void>((resolve) => packets.subscribe(resolve));
  expect(packets.at(0)).toBeUndefined();
  await told;
  expect(packets.failed).toBe(true);
  expect(packets.ready(0, 10)).toBeNull();
});
