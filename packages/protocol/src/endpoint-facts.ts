import { z } from 'zod';
import { op } from './endpoint-op.js';
import { zCount } from './verbs.js';

/** A network interface of the endpoint's machine that is up. */
const zInterface = z.object({
  name: z.string(),
  /** Bytes of one IP packet; null where the system does not report it. */
  mtu: zCount.nullable(),
  /** `70:66:55:b1:9a:8d`; `00:00:00:00:00:00` where it has none. */
  mac: z.string(),
  /** The host itself, such as `lo`. */
  internal: z.boolean(),
  /** With their prefix: `192.0.2.1/24`. */
  addresses: z.array(z.string()),
});
export type NetworkInterface = z.infer<typeof zInterface>;

/** By the names of the C structures. Sizes are in bytes; 64-bit values beyond 2^53 are hexadecimal text. */
const zAttributes = z.record(z.string(), z.union([z.number(), z.string()]));

/** What device and machine say about themselves. */
export const FACTS_OPS = {
  /** All of `ibv_query_device` and `ibv_query_port` that packages/verbs reads. */
  attributes: op(
    () => z.object({}),
    () => z.object({ device: zAttributes, port: zAttributes }),
  ),
  /** The machine's interfaces, and which of them the kernel ties to each GID: null where the kernel does not know the device. */
  interfaces: op(
    () => z.object({}),
    () =>
      z.object({
        interfaces: z.array(zInterface),
        gids: z.array(z.object({ index: zCount, interface: z.string().nullable() })),
      }),
  ),
} as const;
