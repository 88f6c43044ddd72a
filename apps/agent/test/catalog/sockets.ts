/** Rows A4, A16 and C3 of what the labs must show. */
import { samplesNeeded } from '@verbslab/protocol';
import { expect } from 'vitest';
import type { Facts, Found } from './found.js';

const withoutShm = (ids: string[]) => (link: Found['link']) => (link === 'udp' ? ids : []);

const bulk: Facts = {
  params: { duration: 0.5, repeat: 1, omit: 0.2 },
  // A single repetition decides nothing.
  may: ['cheapest'],
  holds: ({ checks, link, transports, of }) => {
    expect(checks.find(({ id }) => id === 'outstanding')?.detail).toContain(
      'At most 64 work requests were outstanding',
    );
    expect(Object.keys(transports)).toEqual(link === 'udp' ? ['rdma', 'tcp'] : ['rdma', 'shm', 'tcp']);
    for (const [transport, { goodputGbps, bytes, messages }] of Object.entries(transports)) {
      expect(goodputGbps, transport).toBeGreaterThan(0);
      expect(bytes, transport).toBe(messages * 65_536);
    }
    expect(of('verb', 'client').some(({ call }) => call === 'ibv_create_qp')).toBe(true);
  },
};

const latency: Facts = {
  params: { duration: 50, repeat: 2 },
  holds: ({ link, curves, figures, outcomes, rows }) => {
    expect(rows('ways').map(({ way }) => way)).toEqual([
      'UDP sockets',
      'TCP',
      'SEND/RECV',
      'WRITE',
      ...(link === 'udp' ? [] : ['SEND/RECV, shared memory', 'WRITE, shared memory']),
    ]);
    for (const { n, p50, min, max, p999, half } of rows('ways')) {
      // On a busy machine there may be too few round trips for a median.
      expect(p50 === null).toBe(Number(n) < samplesNeeded('p50'));
      const stated = [min, p50, max].filter((value) => value !== null).map(Number);
      expect(stated).toEqual([...stated].sort((a, b) => a - b));
      if (p50 !== null) expect(Number(half)).toBeCloseTo(Number(p50) / 2, 9);
      expect(p999 === null).toBe(Number(n) < samplesNeeded('p999'));
    }
    if (figures.write !== null) expect(figures.half).toBeCloseTo(figures.write! / 2, 9);
    if (link === 'udp') expect(figures['write-shm']).toBeNull();
    expect([...(outcomes.order as string[])].sort()).toEqual(['send', 'tcp', 'udp', 'write']);
    for (const { y, min, max } of curves.distribution ?? []) {
      if (min === undefined || max === undefined || y === null) continue;
      expect(min).toBeLessThanOrEqual(y);
      expect(max).toBeGreaterThanOrEqual(y);
    }
  },
};

const gigabyte: Facts = {
  params: { megabytes: 20, repeat: 2, counted: 32 },
  without: withoutShm(['no-calls']),
  holds: ({ link, answer, figures, rows }) => {
    expect(rows('costs').map(({ route }) => route)).toEqual([
      'TCP',
      'RDMA',
      ...(link === 'udp' ? [] : ['RDMA, shared memory']),
    ]);
    for (const { cpu, lowest, highest } of rows('costs')) {
      expect(Number(lowest)).toBeGreaterThan(0);
      expect(Number(cpu)).toBeGreaterThanOrEqual(Number(lowest));
      expect(Number(highest)).toBeGreaterThanOrEqual(Number(cpu));
    }
    const sends = rows('calls').find(({ route, call }) => route === 'TCP' && call === 'sendto');
    expect(sends).toMatchObject({ part: 'Program', message: 1, gigabyte: 1e9 / 65_536 });
    expect(figures['tcp-calls']).toBeGreaterThanOrEqual(1e9 / 65_536);
    expect(answer).toContain('system calls');
  },
};

export const SOCKETS: Record<string, Facts> = { bulk, latency, gigabyte };
