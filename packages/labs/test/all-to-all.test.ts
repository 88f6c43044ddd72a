import { expect, it } from 'vitest';
import { ALGORITHMS, costsOf, placesOf, scheduleOf } from '../src/all-to-all/schedule.js';

it.each(ALGORITHMS.flatMap((one) => [2, 3, 4, 5, 6, 7, 8].map((hosts) => [one, hosts] as const)))(
  '%s among %d hosts brings every block to its host, by the messages and blocks of the formula',
  (algorithm, hosts) => {
    const schedules = Array.from({ length: hosts }, (_, host) => scheduleOf(algorithm, hosts, host));
    const memory = schedules.map((_, host) =>
      Array.from({ length: placesOf(hosts) }, (__, place) => (place < hosts ? `${host} ${place}` : null)),
    );
    const { rounds, messages, blocks } = costsOf(algorithm, hosts, hosts);
    for (let r = 0; r < rounds; r++) {
      const moves = schedules.map(({ rounds: all }, host) => {
        const round = all[r]!;
        return { ...round, data: round.blocks.map(({ place }) => memory[host]![place]!) };
      });
      for (const { peer, into, blocks: moved, data } of moves) {
        expect(data).toEqual(moved.map(({ from, to }) => `${from} ${to}`));
        data.forEach((one, i) => {
          expect(memory[peer]![into + i]).toBeNull();
          memory[peer]![into + i] = one;
        });
      }
    }
    for (const [host, { rounds: all, arrivals }] of schedules.entries()) {
      expect(arrivals.map((place) => memory[host]![place])).toEqual(
        arrivals.map((_, from) => `${from} ${host}`),
      );
      expect(all).toHaveLength(messages);
      expect(all.flatMap((round) => round.blocks)).toHaveLength(blocks);
    }
  },
);

it('counts as the textbook does among a power of two of hosts', () => {
  for (const hosts of [2, 4, 8]) {
    expect(costsOf('pairwise', hosts, hosts)).toMatchObject({ messages: hosts - 1, blocks: hosts - 1 });
    const rounds = Math.log2(hosts);
    expect(costsOf('bruck', hosts, hosts)).toMatchObject({ messages: rounds, blocks: (hosts / 2) * rounds });
  }
  // A device with one SGE sends each block in a message of its own.
  expect(costsOf('bruck', 8, 1).messages).toBe(12);
});
