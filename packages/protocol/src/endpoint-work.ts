import { z } from 'zod';
import { zAccess, zCount, zHex64, zU24, zU32, zWrOpcode } from './verbs.js';

/** Work requests in commands to an endpoint. */

/** Number of an object, as the endpoint gave it out. */
export const handle = zU32;

/** What a queue pair sends through. `auto`: shared memory, where the other end takes it. Needs the capability `link`; `udp` where it is left out. */
export const zQpLink = z.enum(['udp', 'auto']);

/** Memory that the peer may name. */
export const zRemoteMemory = z.object({ addr: zHex64, rkey: zU32 });

/** A part of a region that a memory window is to open. */
export const zWindow = z.object({
  mw: handle,
  mr: handle,
  offset: zCount.optional(),
  length: zCount.optional(),
  /** Default: REMOTE_WRITE and REMOTE_READ. */
  access: zAccess.optional(),
});

export const zSge = z.object({
  mr: handle,
  offset: zCount.optional(),
  length: zU32.optional(),
  /** Another key than the region's, for what a device says to it. */
  lkey: zU32.optional(),
});

export const zSendWr = z.object({
  wrId: zCount.optional(),
  opcode: zWrOpcode,
  /** On a UD queue pair: where it goes. */
  ah: handle.optional(),
  remoteQpn: zU24.optional(),
  remoteQkey: zU32.optional(),
  /** With LOCAL_INV and SEND_WITH_INV. */
  invalidateRkey: zU32.optional(),
  /** With BIND_MW. The window gets its next key: see `queryMw`. */
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
