/** Rows A11 and B2 of what the labs must show. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

const signalEvery: Facts = {
  params: { depth: 16, duration: 20, repeat: 1, smallQueue: 8, postList: 4 },
  holds: ({ answer, curves, figures, outcomes, rows }) => {
    expect(rows('counted').map(({ every, completions }) => [every, completions])).toEqual([
      [1, 256],
      [2, 128],
      [4, 64],
      [8, 32],
      [16, 16],
    ]);
    const queue = rows('queue').map(({ every, room, accepted, completions }) => [
      every,
      room,
      accepted,
      completions,
    ]);
    expect(queue).toEqual([
      ['never', 8, 8, 0],
      [9, 8, 8, 0],
      [8, 8, 32, 4],
      [2, 8, 32, 16],
    ]);
    expect(curves.rate?.map(({ x }) => x)).toEqual([1, 2, 4, 8, 16]);
    expect(figures.room).toBe(8);
    expect(outcomes.none).toBe('full');
    expect(answer).toContain('ENOMEM');
  },
};

const outstanding: Facts = {
  params: { largest: 8, duration: 20, repeat: 1, delay: 200 },
  // Eight in flight do not fill this path, or so busy a machine.
  may: ['knee'],
  holds: ({ curves, figures, rows }) => {
    const of = (series: string): number[] =>
      curves.goodput?.flatMap((point) => (point.series === series ? [point.y ?? 0] : [])) ?? [];
    expect(rows('depths').map(({ depth }) => depth)).toEqual([1, 2, 4, 8]);
    const [one = 0, ...others] = of('computed');
    others.forEach((gbps, i) => expect(gbps).toBeCloseTo(one * 2 ** (i + 1), 9));
    expect(of('measured').every((gbps) => gbps > 0)).toBe(true);
    expect(figures.accepted).toBe(8);
    // A packet that is held for 200 µs cannot be answered sooner.
    expect(figures['alone-latency']).toBeGreaterThan(200);
    const gbps = figures.best ?? 0;
    const us = figures['alone-latency'] ?? 0;
    expect([null, 2, 4]).toContain(figures.knee);
    expect(figures.product).toBeCloseTo((gbps * us * 1000) / 8, 3);
  },
};

const postLists: Facts = {
  params: { largest: 8, depth: 32, duration: 20, repeat: 1 },
  holds: ({ curves, figures, outcomes, rows }) => {
    expect(rows('lists').map(({ length, calls }) => [length, calls])).toEqual([
      [1, 1_000_000],
      [2, 500_000],
      [4, 250_000],
      [8, 125_000],
    ]);
    expect(rows('refused').map(({ call, result, completed }) => [call, result, completed])).toEqual([
      ['ibv_post_send', 'ENOMEM', 16],
      ['ibv_post_send', 'EINVAL', 4],
      ['ibv_wr_complete', 'ENOMEM', 0],
    ]);
    expect(curves.rate?.every(({ y }) => y !== null && y > 0)).toBe(true);
    expect(figures.accepted).toBe(16);
    expect(outcomes.refused).toBe('some');
  },
};

const inline: Facts = {
  params: { largest: 32, duration: 20, repeat: 1 },
  holds: ({ outcomes, rows }) => {
    expect(rows('sizes').map(({ size }) => size)).toEqual([8, 16, 32]);
    expect(rows('overwritten')).toEqual([
      { how: 'gathered', found: 'new' },
      { how: 'inline', found: 'old' },
    ]);
    expect(outcomes.overwrite).toBe('inline-only');
  },
};

/** Both repetitions, with the rounds before each that are not measured. */
const ROUNDS = 2 * (20 + 10);

const pollingEvents: Facts = {
  params: { messages: 20, repeat: 2 },
  holds: ({ busy, figures, outcomes, rows }) => {
    expect(outcomes.forgotten).toBe('nothing');
    expect(figures).toMatchObject({ 'events-forgotten': 0, 'events-late': 0 });
    const [poll, event, adaptive] = rows('counts') as Record<string, number>[];
    expect(poll).toMatchObject({ messages: ROUNDS, arms: 0, rechecks: 0, sleeps: 0, events: 0 });
    for (const { arms, rechecks, sleeps } of [event!, adaptive!]) expect(arms).toBe(rechecks! + sleeps!);
    if (!busy('events')) expect(event!.sleeps).toBeGreaterThan(0);
    const ways = rows('ways') as Record<string, number>[];
    expect(ways.map(({ n, p99 }) => [n, p99])).toEqual(Array(3).fill([40, null]));
    for (const { median, share } of ways) {
      expect(median).toBeGreaterThan(0);
      expect(share).toBeGreaterThan(0);
    }
  },
};

const cqOverrun: Facts = {
  holds: ({ answer, figures, outcomes, rows }) => {
    expect(rows('late').map(({ posted, polled, event }) => [posted, polled, event])).toEqual([
      [1, 1, 'none'],
      [8, 8, 'none'],
      [15, 15, 'none'],
      [16, 16, 'none'],
      [17, 16, 'CQ_ERR'],
      [32, 16, 'CQ_ERR'],
    ]);
    expect(figures).toMatchObject({ entries: 16, survived: 16, lost: 1, after: 0 });
    expect(outcomes).toEqual({ qp: 'error', who: 'client' });
    expect(answer).toContain('CQ_ERR and QP_FATAL');
  },
};

const queuePerThread: Facts = {
  params: { threads: 4, duration: 20, repeat: 1 },
  holds: ({ curves, figures, outcomes, rows }) => {
    const settings = rows('settings');
    expect(settings.map(({ queues, threads }) => [queues, threads])).toEqual(
      [1, 2, 4].flatMap((threads) => [
        ['own', threads],
        ['shared, with a lock', threads],
      ]),
    );
    // A single thread is never kept waiting; with own queues there is no lock to wait for.
    expect(settings.slice(0, 3).map(({ wait }) => wait)).toEqual([null, 0, null]);
    expect(curves.rate?.every(({ y }) => y !== null)).toBe(true);
    for (const name of ['waiting', 'held', 'foreign']) {
      expect(figures[name]).toBeGreaterThanOrEqual(0);
      expect(figures[name]).toBeLessThanOrEqual(100);
    }
    expect(figures.cpus).toBeGreaterThanOrEqual(1);
    // A single repetition has no spread.
    expect(outcomes).toMatchObject({ faster: 'same', scale: 'same' });
  },
};

export const COMPLETIONS: Record<string, Facts> = {
  'signal-every': signalEvery,
  outstanding,
  'post-lists': postLists,
  inline,
  'polling-events': pollingEvents,
  'cq-overrun': cqOverrun,
  'queue-per-thread': queuePerThread,
};
