import { z } from 'zod';
import { op } from './endpoint-op.js';
import { zCount } from './verbs.js';

/** A network interface of the endpoint's machine that is up. */
const zInterface = z.object({
  name: z.string(),
  /** Bytes of an IP packet; null if the system does not report it. */
  mtu: zCount.nullable(),
  /** `70:66:55:b1:9a:8d`; `00:00:00:00:00:00` if there is none. */
  mac: z.string(),
  /** True for an interface of the host itself, such as `lo`. */
  internal: z.boolean(),
  /** Addresses with their prefix length: `192.0.2.1/24`. */
  addresses: z.array(z.string()),
});
export type NetworkInterface = z.infer<typeof zInterface>;

/** Attributes by the names of the C structures. Sizes are in bytes; 64-bit values beyond 2^53 are hexadecimal text. */
const zAttributes = z.record(z.string(), z.union([z.number(), z.string()]));

/** Facts that the device and the machine report. */
export const FACTS_OPS = {
  /** Everything that packages/verbs reads of `ibv_query_device` and `ibv_query_port`. */
  attributes: op(
    () => z.object({}),
    () => z.object({ device: zAttributes, port: zAttributes }),
  ),
  /** Interfaces of the machine, and the interface of each GID: null if the kernel does not know the device. */
  interfaces: op(
    () => z.object({}),
    () =>
      z.object({
        interfaces: z.array(zInterface),
        gids: z.array(z.object({ index: zCount, interface: z.string().nullable() })),
      }),
  ),
} as const;
