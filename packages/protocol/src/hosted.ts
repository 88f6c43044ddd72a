import { z } from 'zod';
import { OPEN_MS } from './connection.js';
import { push, reply, request } from './message.js';
import { zDeviceInfo } from './device.js';
import { ENDPOINT_OP_NAMES } from './endpoint.js';
import { zErrorInfo } from './errors.js';
import { zEndpointEvents } from './reported-events.js';
import { zMonotonic } from './peers.js';
import { zCount, zU32 } from './verbs.js';

/**
 * Endpoints that an agent hosts for a peer: the endpoint RPC over the WebSocket, for agents only. An endpoint lives
 * as long as the connection that opened it. Its binary frames carry its number in `run` and 0 in `seq`; the agent
 * that owns the run numbers them.
 */

/** Numbers of hosted endpoints start here, so that their frames are never taken for those of a run. */
export const HOSTED_BASE = 0x8000_0000;

const ref = { endpoint: zU32 };

export const HOSTED_MESSAGES = [
  request(
    'endpoint.open',
    {
      /** The run that it belongs to, as the asking agent names it: endpoints of one run may be open together. */
      run: z.string().max(64),
      /** What a person finds that run by: the host of the asking agent, and `Run 12 (“Bulk transfer”)` there. */
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
  /** `args` as in ENDPOINT_OPS. */
  request(
    'endpoint.call',
    { ...ref, op: z.enum(ENDPOINT_OP_NAMES), args: z.record(z.string(), z.unknown()) },
    /** Comes after the frames and events that the command led to. */
    reply('endpoint.result', { result: z.unknown() }),
    { from: 'peer', patience: null, what: 'a command to such an endpoint, with `args` as in ENDPOINT_OPS' },
  ),
  /** Orderly end; after `graceMs` the process is killed. */
  request(
    'endpoint.close',
    { ...ref, graceMs: z.number().min(0).max(60_000) },
    reply('endpoint.closed', {}),
    { from: 'peer', patience: null, what: 'ends such an endpoint; its process is killed after `graceMs`' },
  ),
  // Without being asked:
  push('endpoint.events', { ...ref, events: zEndpointEvents }),
  push('endpoint.log', { ...ref, text: z.string() }),
  push('endpoint.exited', {
    ...ref,
    code: z.number().nullable(),
    signal: z.string().nullable(),
    error: zErrorInfo.optional(),
  }),
];
