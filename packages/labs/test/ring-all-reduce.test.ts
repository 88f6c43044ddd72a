import { expect, it } from 'vitest';
import { base64 as base64OfBytes, bytesOfBase64 } from '@verbslab/protocol';
import {
  ALGORITHMS,
  areNeighbors,
  costsOf,
  programOf,
  sendsOf,
  slotsOf,
  type Spot,
} from '../src/ring-all-reduce/schedule.js';
import { countDifferent, sumOf, vectorOf } from '../src/ring-all-reduce/vectors.js';

const CASES = ALGORITHMS.flatMap((one) => [2, 3, 4, 5, 6, 7, 8].map((hosts) => [one, hosts] as const));

it.each(CASES)(
  '%s among %d hosts leaves the sum at each of them, by the costs of the formulas',
  (one, hosts) => {
    const elements = 3 * hosts;
    const vectors = Array.from({ length: hosts }, (_, host) => vectorOf(host, elements));
    const memory = vectors.map((own) => ({
      own: Float32Array.from(own),
      sum: new Float32Array(elements).fill(NaN),
      slots: new Float32Array(slotsOf(hosts) * elements).fill(NaN),
    }));
    const programs = memory.map((_, host) => programOf(one, hosts, host, elements));
    const arrived = new Map<string, number>();
    const at = (host: number, { area, first }: Spot, count: number) =>
      memory[host]![area].subarray(first, first + count);
    const next = programs.map(() => 0);
    // Hosts go on in turns, each until it waits for a message.
    for (let moved = true; moved;) {
      moved = false;
      for (const [host, acts] of programs.entries())
        for (let act = acts[next[host]!]; act; act = acts[++next[host]!], moved = true) {
          if (act.act === 'send') {
            expect(areNeighbors(hosts, host, act.to)).toBe(true);
            at(act.to, act.into, act.count).set(at(host, act.from, act.count));
            const key = `${String(host)} ${String(act.to)}`;
            arrived.set(key, (arrived.get(key) ?? 0) + 1);
          } else if (act.act === 'get') {
            const key = `${String(act.from)} ${String(host)}`;
            const there = arrived.get(key) ?? 0;
            if (there === 0) break;
            arrived.set(key, there - 1);
          } else {
            const [a, b] = [at(host, act.a, act.count), at(host, act.b, act.count)];
            at(host, act.into, act.count).set(a.map((value, i) => value + b[i]!));
          }
        }
    }
    const expected = sumOf(one, vectors, elements);
    for (const { sum } of memory) expect(countDifferent(sum, expected)).toBe(0);
    expected.forEach((sum, i) => {
      expect(sum).toBeCloseTo(
        vectors.reduce((all, own) => all + own[i]!, 0),
        5,
      );
    });
    const sent = programs.map((_, host) => sendsOf(one, hosts, host, elements));
    const vectorsOf = sent.map((list) => list.reduce((all, count) => all + count, 0) / elements);
    const costs = costsOf(one, hosts);
    expect(sent.flat()).toHaveLength(costs.messages);
    expect(Math.max(...vectorsOf)).toBeCloseTo(costs.most);
    expect(Math.max(...programs.flat().map(({ step }) => step))).toBe(costs.steps);
    expect(vectorsOf.reduce((all, value) => all + value, 0)).toBeCloseTo(2 * (hosts - 1));
  },
);

it('carries bytes as base64, whatever their number', () => {
  for (const length of [0, 1, 2, 3, 4, 255, 256]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) % 256);
    const base64 = base64OfBytes(bytes);
    expect(base64).toBe(Buffer.from(bytes).toString('base64'));
    expect(bytesOfBase64(base64)).toEqual(bytes);
  }
});
