/** Rows A10, D5 and E4 of what the labs must show. */
import { expect } from 'vitest';
import type { Facts } from './found.js';

const cmMessages: Facts = {
  params: { connections: 4 },
  holds: ({ figures, rows, of }) => {
    expect(figures).toMatchObject({ messages: 3, 'private-room': 56, bytes: 3 * 308 });
    for (const name of ['cm-total', 'hand-total', 'answer-time', 'ready-time', 'end-time'])
      expect(figures[name]).toBeGreaterThan(0);
    const messages = rows('cm-message-times');
    expect(messages.map(({ message, direction }) => [message, direction])).toEqual([
      ['ConnectRequest', 'sent'],
      ['ConnectReply', 'received'],
      ['ReadyToUse', 'sent'],
      ['DisconnectRequest', 'sent'],
      ['DisconnectReply', 'received'],
    ]);
    const since = messages.map((row) => Number(row.since));
    expect(since).toEqual([...since].sort((a, b) => a - b));
    const field = (message: string, label: string) =>
      rows('fields').find((row) => row.message === message && row.field === label)?.value;
    expect(field('ConnectRequest', 'Service ID')).toMatch(/^RDMA port space TCP, port \d+$/);
    // “find me here”.
    expect(field('ConnectRequest', 'Consumer private data')).toContain('66 69 6e 64 20 6d 65 20');
    expect(field('ConnectRequest', 'Max CM retries')).toBe('15');
    expect(rows('timeline').map(({ way, step }) => [way, step])).toContainEqual([
      'by hand',
      '“ready” written',
    ]);
    // The first connection of each way is not measured.
    expect(of('verb', 'client').filter(({ call }) => call === 'rdma_connect')).toHaveLength(5);
  },
};

const cmReject: Facts = {
  params: { answerMs: 5 },
  // Startup decides which process receives messages that name no ID.
  may: ['gave-up'],
  holds: ({ figures, rows, outcomes, of }) => {
    expect(figures).toMatchObject({ 'program-reason': 28, 'no-listener-reason': 8 });
    // The device waits 5 + 10 + 20 + 40 ms for a listener.
    expect(figures['no-listener-time']).toBeGreaterThanOrEqual(75);
    expect(figures['program-time']).toBeGreaterThan(5);
    expect(rows('rejections').map(({ packet, reason, text }) => [packet, reason, text])).toEqual([
      ['ConnectReject received', 28, 'Server busy.'],
      ['ConnectReject received', 28, 'zeros'],
      ['ConnectReject received', 8, 'zeros'],
      ['ConnectReject sent', 4, null],
      ['ServiceIDResReqResp received', 1, null],
      ['ServiceIDResReqResp received', 2, null],
    ]);
    expect(rows('rejections').map(({ client }) => String(client).split(',')[0])).toEqual([
      'REJECTED',
      'REJECTED',
      'REJECTED',
      'nothing: its id is gone',
      'UNREACHABLE',
      'UNREACHABLE',
    ]);
    expect(outcomes).toEqual({ silent: 'rejected', datagrams: 'unreachable' });
    expect(of('verb', 'client').filter(({ error }) => error !== undefined)).toHaveLength(6);
  },
};

const cmPooling: Facts = {
  params: { requests: 8, clients: 3, outage: 300 },
  holds: ({ busy, figures, rows, curves, outcomes }) => {
    if (!busy('cm-count')) expect(figures).toMatchObject({ 'cm-messages-own': 40, 'cm-messages-kept': 5 });
    expect(figures['times-longer']).toBeGreaterThan(0);
    const policies = ['fixed', 'exponential', 'jitter'];
    for (const policy of policies) {
      expect(figures[`${policy}-tries`]).toBeGreaterThanOrEqual(3);
      expect(figures[`${policy}-back`]).toBeGreaterThanOrEqual(0);
    }
    expect(rows('policies').map(({ pauses }) => pauses)).toEqual([
      '20 ms',
      '20, 40, … 320 ms',
      '0 to 20, 40, … 320 ms',
    ]);
    for (const { tries, most } of rows('policies')) expect(Number(most)).toBeLessThanOrEqual(Number(tries));
    const drawn = curves.tries?.length ?? 0;
    expect(drawn).toBe(policies.reduce((sum, policy) => sum + figures[`${policy}-tries`]!, 0));
    // Chance decides how the tries of so few clients fall.
    for (const asked of ['most-tries', 'together']) expect([...policies, 'equal']).toContain(outcomes[asked]);
  },
};

const connectionStorm: Facts = {
  params: { most: 4, connections: 8, repeat: 1, backlog: 2, extra: 3, heldMs: 300 },
  holds: ({ figures, rows, curves, outcomes, of }) => {
    expect(figures).toMatchObject({ rejected: 3 });
    for (const name of ['rate-one', 'rate-best', 'gain', 'time-one', 'time-most', 'tcp-time', 'hand-best'])
      expect(figures[name]).toBeGreaterThan(0);
    expect(rows('levels').map(({ atOnce, connections }) => [atOnce, connections])).toEqual([
      [1, 8],
      [2, 8],
      [4, 8],
    ]);
    expect(curves.times).toHaveLength(16);
    // The device repeats a request after 0.25 s, and its peer answers each repetition.
    expect(figures['sent-again']).toBeGreaterThanOrEqual(2);
    expect(figures.receipts).toBeGreaterThanOrEqual(2);
    expect(figures['waited-time']).toBeGreaterThanOrEqual(300);
    expect(rows('overflow').map(({ requests, count, event }) => [requests, count, event])).toEqual([
      ['In the backlog', 2, 'ESTABLISHED'],
      ['Beyond it', 3, 'REJECTED'],
    ]);
    expect(outcomes).toEqual({ overflow: 'rejected' });
    // The first connection of each way is not measured.
    expect(of('verb', 'client').filter(({ call }) => call === 'rdma_connect')).toHaveLength(1 + 24 + 5);
  },
};

const cmTimewait: Facts = {
  holds: ({ figures, rows, outcomes }) => {
    expect(figures).toMatchObject({ 'both-messages': 4, copies: 2 });
    expect(figures['ack-timeout']).toBeCloseTo(536.9, 1);
    // The device waits twice the ACK timeout: 1,074 ms. A busy program may see the first event late.
    expect(figures.timewait).toBeGreaterThan(900);
    expect(figures['timewait-server']).toBeGreaterThan(900);
    expect(figures['lost-delay']).toBeGreaterThanOrEqual(250);
    const of = (ending: string) =>
      rows('messages')
        .filter((row) => row.ending === ending)
        .map(({ message, direction, copies }) => [message, direction, copies]);
    expect(of('The client disconnects')).toEqual([
      ['DisconnectRequest', 'sent', 1],
      ['DisconnectReply', 'received', 1],
    ]);
    expect(of('The DisconnectRequest is lost')).toEqual([
      ['DisconnectRequest', 'sent', 2],
      ['DisconnectReply', 'received', 1],
    ]);
    // The client's own request left after the 0.2 s of its delay, and the lost one was repeated after 0.25 s.
    const request = (ending: string) =>
      rows('messages').find(
        (row) => row.ending === ending && row.message === 'DisconnectRequest' && row.direction === 'sent',
      );
    expect(request('Both disconnect at once')?.after).toBeGreaterThanOrEqual(199);
    expect(request('The DisconnectRequest is lost')?.last).toBeGreaterThanOrEqual(249);
    expect(rows('ends').map(({ status }) => status)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(rows('again')[0]?.answer).toContain('EINVAL');
    expect(outcomes).toEqual({ lost: 'later' });
  },
};

export const CONNECTIONS = {
  'cm-messages': cmMessages,
  'cm-reject': cmReject,
  'cm-pooling': cmPooling,
  'connection-storm': connectionStorm,
  'cm-timewait': cmTimewait,
};
