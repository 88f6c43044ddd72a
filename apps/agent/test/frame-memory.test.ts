import {
  decodeCompletions,
  decodeHeader,
  encodeCompletions,
  COMPLETION_FIELDS,
  type CompletionColumns,
} from '@verbslab/protocol';
import { CompletionRing, RECORD_WORDS } from '@verbslab/verbs';
import { describe, expect, it } from 'vitest';
import { openHome } from '../src/config/home.js';
import { CompletionFrames } from '../src/endpoint/completion-frames.js';
import { FrameMemory } from '../src/base/frame-memory.js';
import { RunStore } from '../src/store/store.js';
import { RunStream } from '../src/store/stream.js';
import { StreamReader } from '../src/store/stream-reader.js';
import { newHome } from './helpers/agent.js';

const MIB = 1024 * 1024;
/** Layout of a ring, in words. */
const WRITTEN = 0;
const DROPPED = 32;
const RECORDS = 64;

/** A loop's end of a ring. */
function write(ring: CompletionRing, from: number, count: number): void {
  const { words } = ring;
  for (let record = from; record < from + count; record++) {
    const at = RECORDS + (record & (ring.capacity - 1)) * RECORD_WORDS;
    // Low word of the time, which passes 2^32 on the way, to latency: each tells its record.
    const t = 0xffff_fff0n + BigInt(record);
    words.set([Number(t & 0xffff_ffffn), Number(t >> 32n), record, 16, 5, 1, 64, 1000 + record], at);
  }
  Atomics.store(words, WRITTEN, from + count);
}

describe('frames of a ring', () => {
  it('carry every record once, across the end of the ring and in memory used before', () => {
    const ring = CompletionRing.create(64);
    const memory = new FrameMemory(MIB);
    const frames = new CompletionFrames(ring, 3, (t) => Number(t), memory);
    for (const [from, count] of [
      [0, 40],
      [40, 50],
      [90, 64],
    ] as const) {
      write(ring, from, count);
      const frame = frames.next()!;
      const records = Array.from({ length: count }, (_, index) => from + index);
      const { dt, latency, wrId, imm, ...same } = decodeCompletions(frame);
      expect(decodeHeader(frame)).toMatchObject({ source: 3, count, dropped: 0, t: 0xffff_fff0 + from });
      expect([...dt]).toEqual(records.map((record) => record - from));
      expect([...wrId]).toEqual(records);
      expect([...latency]).toEqual(records.map((record) => 1000 + record));
      expect([...imm]).toEqual(records.map(() => 0));
      expect([same.qpn, same.meta, same.byteLen, same.batch].map((column) => [...new Set(column)])).toEqual([
        [5],
        [1],
        [64],
        [16],
      ]);
      frame.fill(0xee);
      memory.give(frame);
    }
    expect(frames.next()).toBeNull();
    expect(ring.available).toBe(0);
  });

  it('say what the ring dropped, with records or without', () => {
    const ring = CompletionRing.create(64);
    const frames = new CompletionFrames(ring, 3, () => 7, new FrameMemory(MIB));
    Atomics.store(ring.words, DROPPED, 5);
    expect(decodeHeader(frames.next()!)).toMatchObject({ count: 0, dropped: 5 });
    write(ring, 0, 1);
    Atomics.store(ring.words, DROPPED, 7);
    expect(decodeHeader(frames.next()!)).toMatchObject({ count: 1, dropped: 2 });
  });
});

describe('memory of frames', () => {
  it('is used again once it was given back, and only its own', () => {
    const memory = new FrameMemory(MIB);
    const first = memory.take(MIB / 2);
    memory.give(Buffer.alloc(MIB / 2));
    expect(memory.take(MIB / 2).buffer).not.toBe(first.buffer);
    memory.give(first);
    // A little less room than there is.
    const again = memory.take(MIB / 2 - 100);
    expect([again.buffer, again.length]).toEqual([first.buffer, MIB / 2 - 100]);
    memory.give(again);
    memory.clear();
    expect(memory.take(MIB / 2).buffer).not.toBe(first.buffer);
  });

  it('does not wait beyond its limit', () => {
    const memory = new FrameMemory(MIB);
    const taken = [0, 1, 2].map(() => memory.take(MIB / 2));
    for (const frame of taken) memory.give(frame);
    const again = new Set([0, 1, 2].map(() => memory.take(MIB / 2).buffer));
    expect(taken.filter(({ buffer }) => again.has(buffer))).toHaveLength(2);
  });
});

describe('a live stream', () => {
  it('uses memory again that has left its tail, but for what a reader still holds', () => {
    const store = RunStore.open(openHome(newHome()));
    const run = store.create({ lab: 'x', title: 'X', mode: 'all', device: null, parameters: {} });
    const stream = new RunStream({ store, run: run.number, now: () => 1, runLimit: 0 });
    const columns = Object.fromEntries(
      COMPLETION_FIELDS.map((field) => [field, new Uint32Array(16_384)]),
    ) as CompletionColumns;
    const buffers = new Set<ArrayBufferLike>();
    const append = (wrId: number): void => {
      columns.wrId.fill(wrId);
      const bytes = encodeCompletions({ source: 1, t: 0 }, columns);
      const frame = stream.memory.take(bytes.length);
      frame.set(bytes);
      buffers.add(frame.buffer);
      stream.appendFrame(frame);
    };
    const reader = new StreamReader(store, run.number, stream, 1);
    // The first that is above the limit brings an event, from which on the reader follows.
    append(0);
    while (reader.next());
    append(0);
    const held = reader.next();
    for (let wrId = 1; wrId < 1000; wrId++) {
      append(wrId);
      for (let item = reader.next(); item; item = reader.next()) reader.release(item);
    }
    // 1,000 frames of 512 KiB in at most 64 MiB of tail, what it drops at once, and the one that is held.
    expect(buffers.size).toBeLessThan(140);
    expect(new Set(decodeCompletions(held!.frame!).wrId)).toEqual(new Set([0]));
    stream.end();
    store.close();
  });
});
