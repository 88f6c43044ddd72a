/** Row A5 of what the labs must show. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

const parameterServer: Facts = {
  params: { steps: 4 },
  holds: ({ curves, figures, outcomes, rows }) => {
    // Two layers of four chunks, 8 B of header and 256 floats each.
    expect(rows('chunks').map(({ immediate }) => immediate)).toEqual(
      Array.from({ length: 8 }, (_, i) => `0x0001000${i}`),
    );
    expect(rows('chunks')[5]).toMatchObject({
      step: 1,
      number: 5,
      layer: 1,
      offset: 256,
      bytes: 8 + 4 * 256,
    });
    expect(figures).toMatchObject({ notifications: 8, 'pull-completions': 0, staleness: 2 });
    // 0.55^4; and twelve times e(t + 1) = e(t) − 0.45 e(t − 2).
    expect(figures['distance-sync']).toBeCloseTo(0.0915, 4);
    expect(figures['distance-async']).toBeCloseTo(0.2246, 4);
    expect(rows('updates').map(({ staleness }) => staleness)).toEqual([0, 1, 2, 2, 2, 2, 2, 2, 2, 2]);
    expect(curves.distance!.filter(({ series }) => series === 'asynchronous')).toHaveLength(13);
    expect(outcomes.closer).toBe('synchronous');
    for (const name of ['pull-app', 'pull-nic', 'push-app', 'push-nic'])
      expect(figures[name]).toBeGreaterThanOrEqual(0);
    expect(figures['push-app']).toBeGreaterThan(0);
  },
};

const embeddingCache: Facts = {
  params: { lookups: 800 },
  holds: ({ curves, figures, outcomes, rows }) => {
    // 1 + 1/2 + … + 1/16 of 1 + 1/2 + … + 1/512.
    expect(rows('sizes').map(({ slots, best }) => [slots, Math.round(Number(best))])).toEqual([
      [16, 50],
      [64, 70],
      [256, 90],
    ]);
    expect(curves['by-size']!.filter(({ series }) => series === 'lru')).toHaveLength(3);
    // An eighth of the rows gives more than half of the hits.
    expect(figures.expected).toBeCloseTo(58, 0);
    expect(figures['hit-rate']).toBeGreaterThan(45);
    expect(figures['lookup-time']! + figures.saved!).toBeCloseTo(figures['read-time']!, 6);
    // Every point rests on as many lookups of a full cache as were asked for, by each of two readers.
    expect(rows('sizes').map(({ lookups }) => lookups)).toEqual([1600, 1600, 1600]);
    // Two readers look up three rows.
    expect(rows('ways').map(({ lookups, stale }) => [lookups, stale])).toEqual([
      [6, 6],
      [6, 0],
      [6, 6],
      [6, 6],
    ]);
    expect(figures).toMatchObject({ 'stale-completion': 6, 'stale-acknowledged': 0 });
    expect(outcomes).toMatchObject({ trust: 'yes', order: 'stale' });
  },
};

const featureStore: Facts = {
  holds: ({ figures, outcomes, rows }) => {
    // Four epochs of four groups: three of five looks are at a torn row.
    expect(figures).toMatchObject({
      'torn-watermark-first': 12,
      'torn-row-first': 0,
      'torn-ignoring': 12,
      // A single packet at path MTU 256.
      placed: 256,
    });
    expect(
      rows('orders').map(({ looks, none, complete, missing }) => [looks, none, complete, missing]),
    ).toEqual([
      [20, 4, 16, 0],
      [20, 0, 4, 4],
      [20, 0, 8, 0],
    ]);
    expect(rows('story')).toHaveLength(15);
    expect(figures.together).toBeGreaterThan(0);
    expect(outcomes['one-write']).toBe('yes');
  },
};

const rendezvous: Facts = {
  params: { largest: 65_536, messages: 3, repeat: 1 },
  holds: ({ curves, figures, outcomes, rows }) => {
    expect(figures).toMatchObject({ immediate: 1, 'copies-eager': 2, 'copies-rendezvous': 0 });
    // A RECV for the longest message, or two of 24 B.
    expect(figures).toMatchObject({ 'held-eager': 65_536, 'held-rendezvous': 48 });
    expect(rows('sizes').map(({ size }) => size)).toEqual([1024, 4096, 16_384, 65_536]);
    // The counts include the receiver's answer.
    expect(rows('ways').map(({ before, messages }) => [before, messages])).toEqual([
      [0, 2],
      [1, 4],
      [1, 3],
    ]);
    expect(curves.times).toHaveLength(12);
    // The size of the formula is where the copies take as long as the round trip.
    const largest = rows('sizes').at(-1)!;
    const rate = 65_536 / Number(largest.copies) / 1000;
    expect(figures['copy-rate']).toBeCloseTo(rate, 6);
    expect(figures.formula).toBeCloseTo(Number(figures['round-trip']) * 1000 * rate, 3);
    expect(outcomes.copies).toBe('none');
  },
};

const inferenceRing: Facts = {
  // Two batches of three fit into eight slots, and some go past the end.
  params: { slots: 8, batch: 3, batches: 6, features: 16, rounds: 5, repeat: 1 },
  holds: ({ curves, figures, outcomes, rows }) => {
    expect(figures).toMatchObject({ notifications: 6, 'in-flight': 6, overwritten: 4 });
    expect(rows('batches').map(({ id, bytes, complete }) => [id, bytes, complete])).toEqual(
      [1, 2, 3, 4, 5, 6].map((id) => [id, 0, 3]),
    );
    expect(rows('ring').map(({ slot, found }) => [slot, found])).toEqual([
      [0, 9],
      [1, 10],
      [2, 11],
      [3, 12],
      [4, 5],
    ]);
    const sizes = rows('sizes');
    expect(sizes.map(({ batch }) => batch)).toEqual([1, 2, 4, 8]);
    for (const { batch, time, rate } of sizes)
      expect(rate).toBeCloseTo((Number(batch) / Number(time)) * 1000, 6);
    // At the smallest or largest batch there is no bend.
    expect([null, 2, 4]).toContain(figures.knee);
    expect(curves.latency).toHaveLength(8);
    expect(outcomes.status).toBe('none');
  },
};

const checkpointStaging: Facts = {
  params: { shards: 3, shardBytes: 16_384, commits: 3, rounds: 3, repeat: 1 },
  holds: ({ curves, figures, outcomes, rows }) => {
    // Torn points: after the record and after each of three shards. The manifest is the last step.
    expect(figures).toMatchObject({ 'torn-data-first': 0, 'torn-record-first': 4, 'torn-in-place': 4 });
    expect(rows('crashes').map(({ record, verdict }) => `${String(record)} ${String(verdict)}`)).toEqual([
      ...['1 passes', '1 passes', '1 passes', '1 passes', '2 passes'],
      ...['4 fails', '4 fails', '4 fails', '4 fails', '4 passes'],
      ...['5 fails', '5 fails', '5 fails', '5 fails', '6 passes'],
    ]);
    // The WRITE is a single packet at path MTU 1024; epochs 7 to 9 were committed together.
    expect(figures).toMatchObject({ placed: 1024, restored: 9 });
    expect(rows('paths').map(({ size }) => size)).toEqual([4096, 16_384, 3 * 16_384]);
    for (const { direct, copy, computed } of rows('paths'))
      expect(computed).toBeCloseTo(Number(direct) + Number(copy), 6);
    expect(figures.saved).toBeCloseTo(Number(figures.serial) - Number(figures.overlapped), 6);
    expect(curves['by-size']).toHaveLength(6);
    expect(outcomes['in-place']).toBe('nothing');
  },
};

export const AI_DATA: Record<string, Facts> = {
  'parameter-server': parameterServer,
  'embedding-cache': embeddingCache,
  'feature-store': featureStore,
  rendezvous,
  'inference-ring': inferenceRing,
  'checkpoint-staging': checkpointStaging,
};
