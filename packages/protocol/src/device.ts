import { z } from 'zod';
import { CAPABILITIES } from './capabilities.js';
import { PROVIDER_CLASSES } from './provider-class.js';
import { zKnown, zKnownEntries, zKnownList } from './skew.js';
import { zCount, zGid, zSeenMtu } from './verbs.js';

export const zProviderClass = zKnown(PROVIDER_CLASSES, 'unknown');

export const zCapabilities = zKnownList(CAPABILITIES);

const GID_TYPES = ['IB', 'RoCEv1', 'RoCEv2'] as const;

export const zGidEntry = z.object({
  index: zCount,
  gid: zGid,
  /** Address in its usual notation: `192.0.2.1`, `fe80::1`. */
  address: z.string(),
  type: z.enum(GID_TYPES),
});

export const zPortInfo = z.object({
  port: zCount,
  state: zKnown(['NOP', 'DOWN', 'INIT', 'ARMED', 'ACTIVE', 'ACTIVE_DEFER'], 'NOP'),
  linkLayer: zKnown(['unspecified', 'infiniband', 'ethernet'], 'unspecified'),
  maxMtu: zSeenMtu,
  activeMtu: zSeenMtu,
  /** Most bytes of a message. Absent from older agents. */
  maxMessageSize: zCount.optional(),
  gids: zKnownEntries(zGidEntry, 'type', GID_TYPES),
});
export type PortInfo = z.infer<typeof zPortInfo>;

const zLack = z.object({ capability: z.enum(CAPABILITIES), message: z.string(), cure: z.string() });

export const zDeviceInfo = z.object({
  /** Name, unique on the agent, e.g. `uroce0`, `mlx5_0`. */
  name: z.string(),
  providerClass: zProviderClass,
  /** Verbs library of the device. */
  provider: zKnown(['system', 'embedded'], 'system'),
  capabilities: zCapabilities,
  /** Reasons for missing capabilities that the device could have, with cures. */
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
  /** Reason why the device cannot be used. Absent if it can. */
  problem: z.object({ message: z.string(), cure: z.string() }).optional(),
});
export type DeviceInfo = z.infer<typeof zDeviceInfo>;
