import { z } from 'zod';
import { ANSWER_MS, OPEN_MS, PLAIN_MS, REACH_PEER_MS } from './connection.js';
import { push, reply, request } from './message.js';
import { zAgentInfo } from './agent-info.js';
import { zDeviceInfo } from './device.js';
import { zErrorInfo } from './errors.js';
import { zCount } from './verbs.js';

/** Paired agents: what a client hears of them and how it changes the list. An agent asks its peers the same way. */

export const zHostName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/);

/** `host/device`, `host` (its best device) or `device` (of this agent): where an endpoint is to be. */
export const zPlace = z.string().min(1).max(128);

/** How far the monotonic clock of another agent is ahead, ns; the truth lies within ±`errorNs` of it. */
export const zClockOffset = z.object({
  offsetNs: z.number(),
  errorNs: z.number().min(0),
  /** The shortest round trip of the exchange that the offset comes from, ns. */
  rttNs: z.number().min(0),
  rounds: zCount,
  /** Milliseconds since 1970. */
  measuredAt: z.number(),
});
export type ClockOffset = z.infer<typeof zClockOffset>;

export const zPeer = z.object({
  name: zHostName,
  /** `host:port` */
  address: z.string(),
  /** False only for agents on this machine's loopback. */
  tls: z.boolean(),
  state: z.enum(['connecting', 'up', 'down']),
  /** Since when it is in this state, ms since 1970. */
  since: z.number(),
  /** Why it is down. */
  error: zErrorInfo.nullable(),
  /** When it is tried next, ms since 1970; null while it is up, being tried, or not worth trying. */
  retryAt: z.number().nullable(),
  /** What it said last; kept while it is down. */
  agent: zAgentInfo.nullable(),
  devices: z.array(zDeviceInfo),
  clock: zClockOffset.nullable(),
});
export type Peer = z.infer<typeof zPeer>;

/** Steps of a path check, in their order. */
export const PATH_STEPS = ['devices', 'gids', 'ping', 'mtu', 'write'] as const;
export type PathStepId = (typeof PATH_STEPS)[number];

export const zPathStep = z.object({
  id: z.enum(PATH_STEPS),
  title: z.string(),
  state: z.enum(['ok', 'failed', 'skipped']),
  /** One sentence with the figures that decided it. */
  detail: z.string(),
  /** What to do, when it failed. */
  cure: z.string().nullable(),
  seconds: z.number().min(0),
});
export type PathStep = z.infer<typeof zPathStep>;

export const zPathCheck = z.object({
  /** `host/device` */
  from: z.string(),
  to: z.string(),
  ok: z.boolean(),
  steps: z.array(zPathStep),
  /** Milliseconds since 1970. */
  checkedAt: z.number(),
});
export type PathCheck = z.infer<typeof zPathCheck>;

/** CLOCK_MONOTONIC, ns, decimal: JSON numbers cannot hold it. */
export const zMonotonic = z.string().regex(/^\d{1,20}$/);

export const PEER_MESSAGES = [
  /** `refresh`: asks the peers for their devices again. */
  request('peers.list', { refresh: z.boolean().optional() }, reply('peers', { peers: z.array(zPeer) }), {
    // With `refresh` peers are connected to, then list their devices.
    patience: REACH_PEER_MS + 2 * PLAIN_MS,
    what: 'paired agents; `refresh` asks them for their devices again',
  }),
  /** Connects first: a peer that cannot be reached, trusted or talked to is not added. */
  request(
    'peers.add',
    {
      join: z.string().max(2048),
      /** Default: what the other agent calls its machine. */
      name: zHostName.optional(),
    },
    reply('peer', { peer: zPeer }),
    { patience: REACH_PEER_MS + PLAIN_MS, what: 'pairs with the agent of a join string; see below' },
  ),
  request('peers.remove', { name: z.string().max(64) }, reply('peers.removed', { name: z.string() }), {
    what: 'forgets a paired agent',
  }),
  /** Whether two devices reach each other over RDMA, step by step. Takes seconds. */
  request('peers.check', { from: zPlace, to: zPlace }, reply('peers.checked', { check: zPathCheck }), {
    // Two endpoints on two peers, their clocks, and five steps on the path.
    patience: 2 * REACH_PEER_MS + OPEN_MS + 120_000,
    what: 'a path check between two places',
  }),
  /** The answering agent's clock: for an exchange as NTP does it. */
  request(
    'clock',
    {},
    /** When the request came in and when this answer went out. */
    reply('clocked', { received: zMonotonic, sent: zMonotonic }),
    {
      from: 'anyone',
      patience: ANSWER_MS,
      what: 'when the request arrived and when the answer was sent, CLOCK_MONOTONIC',
    },
  ),
  /** To every client, unasked: a peer came, went, or changed its state. */
  push('peers.changed', { peers: z.array(zPeer) }),
];
