import { z } from 'zod';
import { zAccess, zCount, zHex64, zU24, zU32, zWrOpcode } from './verbs.js';

/** Work requests in commands to an endpoint. */

/** Number of an object, assigned by the endpoint. */
export const handle = zU32;

/**
 * Link of a queue pair's packets. `auto`: shared memory if the other end accepts it. Requires the capability `link`.
 * Default: `udp`.
 */
export const zQpLink = z.enum(['udp', 'auto']);

/** Memory that a peer may access. */
export const zRemoteMemory = z.object({ addr: zHex64, rkey: zU32 });

/** Part of a region that a memory window opens. */
export const zWindow = z.object({
  mw: handle,
  mr: handle,
  offset: zCount.optional(),
  length: zCount.optional(),
  /** Rights. Default: REMOTE_WRITE and REMOTE_READ. */
  access: zAccess.optional(),
});

export const zSge = z.object({
  mr: handle,
  offset: zCount.optional(),
  length: zU32.optional(),
  /** Key in place of the region's, to test the reaction of a device. */
  lkey: zU32.optional(),
});

export const zSendWr = z.object({
  wrId: zCount.optional(),
  opcode: zWrOpcode,
  /** Target; only on a UD queue pair. */
  ah: handle.optional(),
  remoteQpn: zU24.optional(),
  remoteQkey: zU32.optional(),
  /** Key to invalidate; only with LOCAL_INV and SEND_WITH_INV. */
  invalidateRkey: zU32.optional(),
  /** Window to bind; only with BIND_MW. The window gets its next key: see `queryMw`. */
  bind: zWindow.optional(),
  local: z.array(zSge).max(32).optional(),
  remote: zRemoteMemory.optional(),
  imm: zU32.optional(),
  compare: zHex64.optional(),
  swap: zHex64.optional(),
  add: zHex64.optional(),
  signaled: z.boolean().optional(),
  fence: z.boolean().optional(),
  solicited: z.boolean().optional(),
  inline: z.boolean().optional(),
});
export type EndpointSendWr = z.infer<typeof zSendWr>;

export const zRecvWr = z.object({ wrId: zCount.optional(), local: z.array(zSge).max(32).optional() });
