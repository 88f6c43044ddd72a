/** Rows A2, A3, C7, C11, D4, E1 and E2 of what the labs must show. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

const writeRead: Facts = {
  holds: ({ figures, outcomes, rows }) => {
    const { 'batch-acks': acks, ...counted } = figures;
    // The response to the READ may acknowledge them all.
    expect(acks).toBeLessThanOrEqual(16);
    expect(acks).toBeGreaterThanOrEqual(0);
    expect(counted).toEqual({
      'path-mtu': 1024,
      'write-packets': 4,
      'read-requests': 1,
      'read-responses': 4,
      'target-completions': 0,
      'batch-completions': 4,
      'last-word': 16,
    });
    expect(rows('requests').map(({ back }) => back)).toEqual([
      expect.stringContaining('ACK'),
      'READ response First, 2 READ response Middle, READ response Last',
    ]);
    expect(outcomes).toEqual({ 'target-notices': 'nothing', 'read-sees': 'last' });
  },
};

const writeImm: Facts = {
  holds: ({ figures, outcomes, rows, of }) => {
    expect(figures).toMatchObject({ immediate: 0x12345678, 'never-status': 13, tries: 3 });
    expect(rows('order').map(({ value }) => value)).toEqual(['0x12345678', '12 34 56 78', '0x78563412']);
    expect(rows('messages').map(({ status, noticed }) => [status, noticed])).toEqual([
      ['SUCCESS', 0],
      ['SUCCESS', 1],
      ['SUCCESS', 1],
      ['RNR_RETRY_EXC_ERR', 0],
    ]);
    // The late one, too: a missing RECV loses no notification.
    expect(of('completion', 'server').map(({ wc }) => [wc.opcode, wc.byteLen])).toEqual([
      ['RECV_RDMA_WITH_IMM', 64],
      ['RECV_RDMA_WITH_IMM', 64],
    ]);
    expect(outcomes).toEqual({ 'data-lands': 'address', 'missing-recv': 'retries' });
  },
};

const notifyTarget: Facts = {
  params: { messages: 10, repeat: 2 },
  holds: ({ figures, outcomes, rows }) => {
    expect(outcomes.alone).toBe('nothing');
    const ways = rows('ways');
    expect(ways.map(({ n, recv, ordered }) => [n, recv, ordered])).toEqual([
      [20, false, false],
      [20, false, true],
      [20, true, true],
      [20, true, true],
      [20, true, true],
      [20, true, true],
    ]);
    for (const { min, median, max } of ways as Record<string, number>[]) {
      expect(min).toBeGreaterThan(0);
      expect(median).toBeGreaterThanOrEqual(min!);
      expect(max).toBeGreaterThanOrEqual(median!);
    }
    expect(figures.alone).toBe(0);
  },
};

const sendRecv: Facts = {
  params: { size: 100, messages: 3 },
  holds: ({ figures, outcomes, rows }) => {
    expect(rows('messages')).toEqual([
      { message: 1, sent: 100, recv: 100, received: 100, data: 'the same' },
      { message: 2, sent: 50, recv: 101, received: 50, data: 'the same' },
      { message: 3, sent: 0, recv: 102, received: 0, data: 'the same' },
    ]);
    expect(rows('refused')).toEqual([
      { case: '99 B for a message of 100 B', client: '9 REM_INV_REQ_ERR', server: '1 LOC_LEN_ERR' },
      { case: 'None, with rnr_retry 0', client: '13 RNR_RETRY_EXC_ERR', server: 'no completion' },
    ]);
    expect(outcomes).toEqual({ 'short-message': 'one', 'too-small': 'both' });
    expect(figures['naks-credits']).toBe(0);
    expect(figures.naks).toBeGreaterThan(0);
  },
};

const atomics: Facts = {
  params: { clients: 4, increments: 10 },
  holds: ({ figures, rows }) => {
    const way = (name: string) => rows('ways').find((row) => row.way === name)!;
    expect(way('FETCH_ADD')).toMatchObject({ increments: 40, counter: 40, lost: 0, requests: 40 });
    expect(way('READ, then WRITE')).toMatchObject({ counter: 10, lost: 30, requests: 80 });
    const swapped = way('READ, then CMP_SWAP');
    expect(swapped).toMatchObject({ counter: 40, lost: 0 });
    // A READ per client, and at least one swap per increment.
    expect(swapped.requests).toBeGreaterThanOrEqual(44);
    expect(figures).toMatchObject({ lost: 30, misaligned: 9, 'no-right': 10 });
    expect(figures.swaps).toBe(((swapped.requests as number) - 4) / 40);
    expect(rows('refused').map(({ counter }) => counter)).toEqual(['as before', 'as before']);
    expect(rows('times').map(({ operation, n }) => [operation, n])).toEqual([
      ['FETCH_ADD', 25],
      ['READ', 25],
      ['WRITE', 25],
    ]);
  },
};

const udGrh: Facts = {
  without: () => ['too-short'],
  holds: ({ figures, outcomes, rows }) => {
    expect(figures).toMatchObject({ buffer: 104, 'byte-len': 104, 'qkey-violations': 1 });
    expect(rows('datagrams').map(({ byteLen }) => byteLen)).toEqual([104, null, null]);
    expect(outcomes).toEqual({ 'byte-length': 'both' });
  },
};

const srq: Facts = {
  params: { clients: 3, recvs: 6, size: 128, limit: 2 },
  holds: ({ figures, outcomes, rows }) => {
    const messages = rows('messages');
    expect(messages.map(({ recv, client, data }) => [recv, client, data])).toEqual([
      ...[0, 1, 2, 3, 4].map((recv) => [recv, 1, 'bytes of this client']),
      [5, 3, 'bytes of this client'],
    ]);
    expect(new Set(messages.map(({ qpn }) => qpn)).size).toBe(2);
    expect(rows('pool').slice(0, 2)).toEqual([
      { left: 2, event: 'none' },
      { left: 1, event: 'SRQ_LIMIT_REACHED' },
    ]);
    expect(figures).toMatchObject({ 'pool-bytes': 768, 'separate-bytes': 2304, armed: 0 });
    expect(figures.naks).toBeGreaterThan(0);
    expect(outcomes).toEqual({ 'who-takes': 'any' });
  },
};

const PASSES = '0 SUCCESS';
const REFUSED = '10 REM_ACCESS_ERR';

const memoryWindows: Facts = {
  holds: ({ figures, outcomes, rows }) => {
    expect(rows('rights').map(({ send, write, read, fetchAdd }) => [send, write, read, fetchAdd])).toEqual([
      [PASSES, REFUSED, REFUSED, REFUSED],
      [PASSES, PASSES, REFUSED, REFUSED],
      ['11 REM_OP_ERR', REFUSED, PASSES, REFUSED],
      [PASSES, REFUSED, REFUSED, PASSES],
    ]);
    const limits = [PASSES, REFUSED, REFUSED, REFUSED];
    const takenBack = [PASSES, REFUSED, REFUSED];
    expect(rows('windows').map(({ status }) => status)).toEqual([
      ...[...limits, ...limits],
      ...[...takenBack, ...takenBack],
    ]);
    expect(figures).toEqual({ passed: 3, refused: 19, 'local-inv': 10, 'send-inv': 10, 'bind-status': 6 });
    expect(outcomes).toEqual({ 'after-inv': 'refused' });
  },
};

const multicast: Facts = {
  holds: ({ figures, outcomes, rows }) => {
    expect(figures).toEqual({ reached: 3, sent: 1, answers: 0 });
    const arrivals = rows('arrivals');
    expect(arrivals.map(({ byteLen }) => byteLen)).toEqual([104, 104, 104, 104, 104]);
    expect(arrivals.slice(0, 3).map(({ destGid }) => destGid)).toEqual(Array(3).fill('::ffff:239.1.2.3'));
    expect(rows('address').map(({ value }) => value)).toContain('01:00:5e:01:02:03');
    expect(outcomes).toEqual({ outsider: 'nothing' });
  },
};

const unreliableConnection: Facts = {
  holds: ({ figures, outcomes, rows }) => {
    expect(figures).toMatchObject({ 'uc-acks': 0, 'uc-arrived': 2, 'rc-arrived': 3, 'rc-landed': 4 });
    expect(figures['rc-acks']).toBeGreaterThan(0);
    expect(figures['uc-landed']).toBeLessThan(4);
    expect(rows('packets')[0]).toMatchObject({ type: 'UC', messages: 5, sent: 17, acks: 0 });
    expect(rows('losses').map(({ dropped }) => dropped)).toEqual([1, 1, 1, 1]);
    expect(outcomes).toEqual({ loss: 'missing' });
  },
};

export const VERBS: Record<string, Facts> = {
  'write-read': writeRead,
  'write-imm': writeImm,
  'notify-target': notifyTarget,
  'send-recv': sendRecv,
  atomics,
  'ud-grh': udGrh,
  srq,
  'memory-windows': memoryWindows,
  multicast,
  'unreliable-connection': unreliableConnection,
};
