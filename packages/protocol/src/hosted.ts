import { z } from 'zod';
import { OPEN_MS } from './connection.js';
import { push, reply, request } from './message.js';
import { zDeviceInfo } from './device.js';
import { ENDPOINT_OP_NAMES } from './endpoint.js';
import { zErrorInfo } from './error-schema.js';
import { zEndpointEvents } from './reported-events.js';
import { zMonotonic } from './peers.js';
import { zCount, zU32 } from './verbs.js';

/**
 * Endpoints that an agent hosts for a peer: the endpoint RPC over the WebSocket, only for agents. An endpoint lives as
 * long as the connection that opened it. Its binary frames have its number in `run` and 0 in `seq`. The agent that owns
 * the run numbers them.
 */

/** First number of hosted endpoints, so that their frames are never taken for those of a run. */
export const HOSTED_BASE = 0x8000_0000;

const ref = { endpoint: zU32 };

export const HOSTED_MESSAGES = [
  request(
    'endpoint.open',
    {
      /** Run of the endpoint, named by the requesting agent. Endpoints of a run may be open together. */
      run: z.string().max(64),
      /** Name of that run for a person: the host of the requesting agent, and `Run 12 (“Bulk transfer”)` there. */
      of: z.object({ host: z.string().max(255), what: z.string().max(200) }).optional(),
      /** Role in the lab. */
      role: z.string().max(64),
      device: z.string().max(64),
      /** CLOCK_MONOTONIC of the hosting agent at which the run's clock reads 0. */
      clock: zMonotonic,
    },
    reply('endpoint.opened', { ...ref, pid: zCount, device: zDeviceInfo }),
    { from: 'peer', patience: OPEN_MS, what: 'opens an endpoint on this host for a run of the other agent' },
  ),
  /** Calls a command; `args` as in ENDPOINT_OPS. */
  request(
    'endpoint.call',
    { ...ref, op: z.enum(ENDPOINT_OP_NAMES), args: z.record(z.string(), z.unknown()) },
    /** Arrives after the frames and events of the command. */
    reply('endpoint.result', { result: z.unknown() }),
    { from: 'peer', patience: null, what: 'a command to such an endpoint, with `args` as in ENDPOINT_OPS' },
  ),
  /** Closes the endpoint in order. After `graceMs` the process is killed. */
  request(
    'endpoint.close',
    { ...ref, graceMs: z.number().min(0).max(60_000) },
    reply('endpoint.closed', {}),
    { from: 'peer', patience: null, what: 'ends such an endpoint; its process is killed after `graceMs`' },
  ),
  // Messages without a request:
  push('endpoint.events', { ...ref, events: zEndpointEvents }),
  push('endpoint.log', { ...ref, text: z.string() }),
  push('endpoint.exited', {
    ...ref,
    code: z.number().nullable(),
    signal: z.string().nullable(),
    error: zErrorInfo.optional(),
  }),
];
