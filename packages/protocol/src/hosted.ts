import { z } from 'zod';
import { zDeviceInfo } from './device.js';
import { ENDPOINT_OP_NAMES } from './endpoint.js';
import { zErrorInfo } from './errors.js';
import { zEndpointEvents } from './events.js';
import { zMonotonic } from './peers.js';
import { zCount, zU32 } from './verbs.js';

/**
 * Endpoints that an agent hosts for a peer: the endpoint RPC over the WebSocket, for agents only. An endpoint lives
 * as long as the connection that opened it. Its binary frames carry its number in `run` and 0 in `seq`; the agent
 * that owns the run numbers them.
 */

/** Numbers of hosted endpoints start here, so that their frames are never taken for those of a run. */
export const HOSTED_BASE = 0x8000_0000;

const request = { id: zU32 };
const reply = { re: zU32 };
const ref = { endpoint: zU32 };

export const HOSTED_CLIENT_MESSAGES = {
  'endpoint.open': z.object({
    type: z.literal('endpoint.open'),
    ...request,
    /** The run that it belongs to, as the asking agent names it: endpoints of one run may be open together. */
    run: z.string().max(64),
    /** What a person finds that run by: the host of the asking agent, and `Run 12 (“Bulk transfer”)` there. */
    of: z.object({ host: z.string().max(255), what: z.string().max(200) }).optional(),
    /** Role in the lab. */
    role: z.string().max(64),
    device: z.string().max(64),
    /** CLOCK_MONOTONIC of the hosting agent at which the run's clock reads 0. */
    clock: zMonotonic,
  }),
  /** `args` as in ENDPOINT_OPS. */
  'endpoint.call': z.object({
    type: z.literal('endpoint.call'),
    ...request,
    ...ref,
    op: z.enum(ENDPOINT_OP_NAMES),
    args: z.record(z.string(), z.unknown()),
  }),
  /** Orderly end; after `graceMs` the process is killed. */
  'endpoint.close': z.object({
    type: z.literal('endpoint.close'),
    ...request,
    ...ref,
    graceMs: z.number().min(0).max(60_000),
  }),
} as const;

export const HOSTED_AGENT_MESSAGES = {
  'endpoint.opened': z.object({
    type: z.literal('endpoint.opened'),
    ...reply,
    ...ref,
    pid: zCount,
    device: zDeviceInfo,
  }),
  /** Comes after the frames and events that the command led to. */
  'endpoint.result': z.object({ type: z.literal('endpoint.result'), ...reply, result: z.unknown() }),
  'endpoint.closed': z.object({ type: z.literal('endpoint.closed'), ...reply }),
  // Without being asked:
  'endpoint.events': z.object({ type: z.literal('endpoint.events'), ...ref, events: zEndpointEvents }),
  'endpoint.log': z.object({ type: z.literal('endpoint.log'), ...ref, text: z.string() }),
  'endpoint.exited': z.object({
    type: z.literal('endpoint.exited'),
    ...ref,
    code: z.number().nullable(),
    signal: z.string().nullable(),
    error: zErrorInfo.optional(),
  }),
} as const;
