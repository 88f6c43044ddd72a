/** Row A12 of what the labs must show: which verb for which job. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

const REQUEST = 'Small request and reply';
const TOLD = 'Large transfer, the target must know';
const QUIET = 'Large transfer, the target must not know';
const READERS = 'Many readers of one value';
const COUNTER = 'Counter shared by many';
const STREAM = 'Stream of small messages';
const UNKNOWN = 'Result into a buffer whose address the sender does not know';

export const WHICH_VERB: Facts = {
  params: { rounds: 10, repeat: 2 },
  holds: ({ figures, outcomes, rows }) => {
    const find = (table: string, job: string, verb: string) =>
      rows(table).find((row) => row.job === job && row.verb === verb)!;
    expect(figures).toMatchObject({
      can: 20,
      impossible: 15,
      'write-told': 0,
      tag: 17,
      'no-right': 4,
      guessed: 10,
      lost: 10,
      'request-packets': 4,
      'request-trips': 1,
      'pull-trips': 2,
    });

    // The guide: WRITE pushes, READ pulls, SEND is a message, WRITE_WITH_IMM is data plus a tag.
    expect(rows('guide').map(({ verb, use, told, tag }) => [verb, use, told, tag])).toEqual([
      ['SEND', 'Messages to a program', 1, null],
      ['WRITE', 'Pushing data', 0, null],
      ['WRITE_WITH_IMM', 'Pushing data with a tag of 32 bits', 1, 17],
      ['READ', 'Pulling data', 0, null],
      ['FETCH_ADD', 'Changing 8 bytes that others change, too', 0, null],
    ]);

    // A request is one packet and its ACK, or its response; requests with replies are twice as many.
    const wire = (job: string, verb: string) => {
      const { packets, roundTrips } = find('wire', job, verb);
      return [packets, roundTrips];
    };
    expect(wire(REQUEST, 'WRITE')).toEqual([4, 1]);
    expect(wire(REQUEST, 'WRITE_WITH_IMM')).toEqual([4, 1]);
    expect(wire(READERS, 'READ')).toEqual([2, 1]);
    expect(wire(READERS, 'FETCH_ADD')).toEqual([2, 1]);
    expect(wire(READERS, 'SEND')).toEqual([4, 1]);
    expect(wire(UNKNOWN, 'SEND')).toEqual([2, 1]);
    expect(wire(UNKNOWN, 'READ')).toEqual([6, 2]);
    expect(wire(STREAM, 'WRITE')[1]).toBe(1);
    for (const { median, min, max, n } of rows('wire') as Record<string, number>[]) {
      expect(min).toBeGreaterThan(0);
      expect(median).toBeGreaterThanOrEqual(min!);
      expect(max).toBeGreaterThanOrEqual(median!);
      expect(n).toBe(2);
    }

    // IPv4 20, UDP 8, BTH 12, ICRC 4: 44 B. RETH is 16, ImmDt 4, AETH 4, AtomicETH 28, AtomicAckETH 8.
    const bytes = (job: string, verb: string) => find('wire', job, verb).bytes;
    expect(bytes(REQUEST, 'SEND')).toBe(2 * (44 + 64) + 2 * 48);
    expect(bytes(REQUEST, 'WRITE')).toBe(2 * (60 + 64) + 2 * 48);
    expect(bytes(REQUEST, 'WRITE_WITH_IMM')).toBe(2 * (64 + 64) + 2 * 48);
    expect(bytes(READERS, 'READ')).toBe(60 + (48 + 8));
    expect(bytes(READERS, 'FETCH_ADD')).toBe(72 + 56);

    const work = (job: string, verb: string) => {
      const { initiator, passive, told, clientRights, serverRights } = find('work', job, verb);
      return [initiator, passive, told, clientRights, serverRights];
    };
    expect(work(REQUEST, 'SEND')).toEqual(['client: RECV, SEND', 'server: RECV, SEND', 1, 'none', 'none']);
    expect(work(TOLD, 'WRITE_WITH_IMM')).toEqual([
      'client: WRITE_WITH_IMM',
      'server: RECV',
      1,
      'none',
      'REMOTE_WRITE',
    ]);
    expect(work(QUIET, 'WRITE')).toEqual(['client: WRITE', 'server: nothing', 0, 'none', 'REMOTE_WRITE']);
    expect(work(READERS, 'READ')).toEqual(['client: READ', 'server: nothing', 0, 'none', 'REMOTE_READ']);
    expect(work(READERS, 'WRITE')).toEqual(['server: WRITE', 'client: nothing', 0, 'REMOTE_WRITE', 'none']);
    expect(work(COUNTER, 'FETCH_ADD')).toEqual([
      'client: FETCH_ADD',
      'server: nothing',
      0,
      'none',
      'REMOTE_ATOMIC',
    ]);
    expect(work(STREAM, 'SEND')).toEqual(['client: RECV, 8 SEND', 'server: 8 RECV, SEND', 8, 'none', 'none']);
    expect(work(UNKNOWN, 'READ')).toEqual([
      'server: RECV, SEND',
      'client: RECV, READ, SEND',
      1,
      'none',
      'REMOTE_READ',
    ]);

    const { 'read-cpu': read, 'send-cpu': send } = figures;
    expect(read).toBeLessThan(send!);
    expect(Object.keys(outcomes).sort()).toEqual(['readers', 'told', 'unknown']);
    expect(rows('matrix').find(({ job }) => job === QUIET)!.fastest).toBe('WRITE, the only one');
    expect(rows('matrix')).toHaveLength(7);
    expect(rows('cannot')).toHaveLength(15);
    expect(rows('cannot').every(({ shown }) => typeof shown === 'string')).toBe(true);
  },
};
