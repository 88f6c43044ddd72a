import { describe, expect, it } from 'vitest';
import { otherEnd, peerRuns, type QpPair, type RunRecord } from '../src/index.js';

/** A program that ran from `createdAt` to `endedAt`, with a QP of this number connected to another. */
const program = (id: string, createdAt: number, endedAt: number | null, ...connections: QpPair[]) =>
  ({ id, createdAt, endedAt, result: { program: { work: { connections } } } }) as unknown as RunRecord;
const names = (runs: readonly RunRecord[]): string[] => runs.map(({ id }) => id);

describe('the peers of a program', () => {
  const server = program('server', 0, 90, { qpn: 17, peerQpn: 18 }, { qpn: 19, peerQpn: 20 });
  const client = program('client', 10, 80, { qpn: 18, peerQpn: 17 });
  const second = program('second', 5, 80, { qpn: 20, peerQpn: 19 });
  const all = [client, second, server];

  it('are the runs whose QPs its own are connected to, both ways, in the order of their start', () => {
    expect(names(peerRuns(client, all))).toEqual(['server']);
    expect(names(peerRuns(server, all))).toEqual(['second', 'client']);
  });

  it('ran at the same time: the numbers of QPs come again', () => {
    const later = program('later', 91, 95, { qpn: 18, peerQpn: 17 });
    const running = program('running', 90, null, { qpn: 18, peerQpn: 17 });
    expect(names(peerRuns(server, [later]))).toEqual([]);
    expect(names(peerRuns(server, [running]))).toEqual(['running']);
  });

  it('have both ends of the connection', () => {
    const same = program('same', 10, 80, { qpn: 17, peerQpn: 18 });
    const other = program('other', 10, 80, { qpn: 18, peerQpn: 99 });
    expect(names(peerRuns(server, [same, other, server]))).toEqual([]);
    const lab = { ...client, id: 'lab', result: null };
    expect(names(peerRuns(server, [lab]))).toEqual([]);
    expect(names(peerRuns(lab, all))).toEqual([]);
  });
});

describe('the other end of a program', () => {
  const server = program('server', 0, 90, { qpn: 17, peerQpn: 18 });
  const client = program('client', 10, 80, { qpn: 18, peerQpn: 17 });

  it('is the one run that all connections of both lead to', () => {
    expect(otherEnd(client, [server, client])?.id).toBe('server');
    expect(otherEnd(server, [server, client])?.id).toBe('client');
  });

  it('may have connections between its own QPs', () => {
    const both = program(
      'both',
      10,
      80,
      ...[
        { qpn: 18, peerQpn: 17 },
        { qpn: 30, peerQpn: 31 },
        { qpn: 31, peerQpn: 30 },
      ],
    );
    expect(otherEnd(server, [both])?.id).toBe('both');
  });

  it('is unknown if one of them is also connected to a third program', () => {
    const busy = program('busy', 0, 90, { qpn: 17, peerQpn: 18 }, { qpn: 19, peerQpn: 20 });
    const second = program('second', 5, 80, { qpn: 20, peerQpn: 19 });
    expect(otherEnd(client, [busy])).toBeNull();
    expect(otherEnd(busy, [client])).toBeNull();
    expect(otherEnd(busy, [client, second])).toBeNull();
    expect(otherEnd(program('alone', 0, 90), [client])).toBeNull();
  });
});
