import { z } from 'zod';
import { CAPABILITIES } from './capabilities.js';
import { PROVIDER_CLASSES } from './provider-class.js';
import { zKnown, zKnownEntries, zKnownList } from './skew.js';
import { zCount, zGid, zSeenMtu } from './verbs.js';

export const zProviderClass = zKnown(PROVIDER_CLASSES, 'unknown');

/** Bytes of socket buffer that the embedded device asks for (native/uroce/net/udp/udp_socket.h), and how to let it have them. */
export const SOCKET_BUFFER_WANTED = 4 << 20;
export const SOCKET_BUFFER_CURE = `sudo sysctl -w net.core.rmem_max=${SOCKET_BUFFER_WANTED}`;

export const zCapabilities = zKnownList(CAPABILITIES);

const GID_TYPES = ['IB', 'RoCEv1', 'RoCEv2'] as const;

export const zGidEntry = z.object({
  index: zCount,
  gid: zGid,
  /** The address that a person would write: `192.0.2.1`, `fe80::1`. */
  address: z.string(),
  type: z.enum(GID_TYPES),
});

export const zPortInfo = z.object({
  port: zCount,
  state: zKnown(['NOP', 'DOWN', 'INIT', 'ARMED', 'ACTIVE', 'ACTIVE_DEFER'], 'NOP'),
  linkLayer: zKnown(['unspecified', 'infiniband', 'ethernet'], 'unspecified'),
  maxMtu: zSeenMtu,
  activeMtu: zSeenMtu,
  /** Bytes of one message. Absent from older agents. */
  maxMessageSize: zCount.optional(),
  gids: zKnownEntries(zGidEntry, 'type', GID_TYPES),
});
export type PortInfo = z.infer<typeof zPortInfo>;

const zLack = z.object({ capability: z.enum(CAPABILITIES), message: z.string(), cure: z.string() });

export const zDeviceInfo = z.object({
  /** Unique on the agent, e.g. `uroce0`, `mlx5_0`. */
  name: z.string(),
  providerClass: zProviderClass,
  /** Which verbs library serves it. */
  provider: zKnown(['system', 'embedded'], 'system'),
  capabilities: zCapabilities,
  /** Why it lacks a capability that it could have, and what gives it. */
  lacks: zKnownEntries(zLack, 'capability', CAPABILITIES).optional(),
  fwVersion: z.string(),
  nodeGuid: z.string(),
  vendorId: zCount,
  limits: z.object({
    maxMrSize: z.number(),
    maxQp: zCount,
    maxQpWr: zCount,
    maxSge: zCount,
    maxCq: zCount,
    maxCqe: zCount,
    maxMr: zCount,
    maxPd: zCount,
    maxQpRdAtom: zCount,
  }),
  ports: z.array(zPortInfo),
  /** Why the device cannot be used, when it cannot. */
  problem: z.object({ message: z.string(), cure: z.string() }).optional(),
});
export type DeviceInfo = z.infer<typeof zDeviceInfo>;
