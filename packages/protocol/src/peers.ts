import { z } from 'zod';
import { ANSWER_MS, OPEN_MS, PLAIN_MS, REACH_PEER_MS } from './connection.js';
import { push, reply, request } from './message.js';
import { zAgentInfo } from './agent-info.js';
import { zDeviceInfo } from './device.js';
import { zErrorInfo } from './error-schema.js';
import { zCount } from './verbs.js';

/** Paired agents: messages about them and about changes to the list. An agent queries its peers the same way. */

export const zHostName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/);

/** Place of an endpoint: `host/device`, `host` (its best device) or `device` (of this agent). */
export const zPlace = z.string().min(1).max(128);

/** Offset by which the monotonic clock of another agent is ahead, ns. The true offset is within ±`errorNs`. */
export const zClockOffset = z.object({
  offsetNs: z.number(),
  errorNs: z.number().min(0),
  /** Shortest round trip of the exchange that gave the offset, ns. */
  rttNs: z.number().min(0),
  rounds: zCount,
  /** Time of the measurement, ms since 1970. */
  measuredAt: z.number(),
});
export type ClockOffset = z.infer<typeof zClockOffset>;

export const zPeer = z.object({
  name: zHostName,
  /** Address: `host:port`. */
  address: z.string(),
  /** True unless the agent is on this machine's loopback. */
  tls: z.boolean(),
  state: z.enum(['connecting', 'up', 'down']),
  /** Start of the current state, ms since 1970. */
  since: z.number(),
  /** Reason why the peer is down. */
  error: zErrorInfo.nullable(),
  /** Time of the next try, ms since 1970; null while the peer is up or being tried, or if a try would be useless. */
  retryAt: z.number().nullable(),
  /** Last description from the peer; kept while it is down. */
  agent: zAgentInfo.nullable(),
  devices: z.array(zDeviceInfo),
  clock: zClockOffset.nullable(),
});
export type Peer = z.infer<typeof zPeer>;

/** Steps of a path check, in order. */
export const PATH_STEPS = ['devices', 'gids', 'ping', 'mtu', 'write'] as const;
export type PathStepId = (typeof PATH_STEPS)[number];

export const zPathStep = z.object({
  id: z.enum(PATH_STEPS),
  title: z.string(),
  state: z.enum(['ok', 'failed', 'skipped']),
  /** Sentence with the figures that decided the step. */
  detail: z.string(),
  /** Cure, if the step failed. */
  cure: z.string().nullable(),
  seconds: z.number().min(0),
});
export type PathStep = z.infer<typeof zPathStep>;

export const zPathCheck = z.object({
  /** Place: `host/device`. */
  from: z.string(),
  to: z.string(),
  ok: z.boolean(),
  steps: z.array(zPathStep),
  /** Time of the check, ms since 1970. */
  checkedAt: z.number(),
});
export type PathCheck = z.infer<typeof zPathCheck>;

/** Time on CLOCK_MONOTONIC, ns, decimal: JSON numbers cannot hold it. */
export const zMonotonic = z.string().regex(/^\d{1,20}$/);

export const PEER_MESSAGES = [
  /** Lists peers. `refresh`: asks the peers for their devices again. */
  request('peers.list', { refresh: z.boolean().optional() }, reply('peers', { peers: z.array(zPeer) }), {
    // With `refresh`, the agent connects to peers, and they list their devices.
    patience: REACH_PEER_MS + 2 * PLAIN_MS,
    what: 'paired agents; `refresh` asks them for their devices again',
  }),
  /**
   * Adds a peer. The agent connects first: a peer that cannot be reached or trusted, or that cannot communicate with
   * the agent, is not added.
   */
  request(
    'peers.add',
    {
      join: z.string().max(2048),
      /** Name of the peer. Default: its own name for its machine. */
      name: zHostName.optional(),
    },
    reply('peer', { peer: zPeer }),
    { patience: REACH_PEER_MS + PLAIN_MS, what: 'pairs with the agent of a join string; see below' },
  ),
  request('peers.remove', { name: z.string().max(64) }, reply('peers.removed', { name: z.string() }), {
    what: 'forgets a paired agent',
  }),
  /** Checks step by step if two devices reach each other over RDMA. Takes seconds. */
  request('peers.check', { from: zPlace, to: zPlace }, reply('peers.checked', { check: zPathCheck }), {
    // Time for two endpoints on two peers, their clocks, and the five steps of the path.
    patience: 2 * REACH_PEER_MS + OPEN_MS + 120_000,
    what: 'a path check between two places',
  }),
  /** Returns the agent's clock, for an exchange as in NTP. */
  request(
    'clock',
    {},
    /** Times at which the request arrived and this answer was sent. */
    reply('clocked', { received: zMonotonic, sent: zMonotonic }),
    {
      from: 'anyone',
      patience: ANSWER_MS,
      what: 'when the request arrived and when the answer was sent, CLOCK_MONOTONIC',
    },
  ),
  /** To every client, without a request: a peer was added or removed, or changed its state. */
  push('peers.changed', { peers: z.array(zPeer) }),
];
