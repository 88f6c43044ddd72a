import { z } from 'zod';
import { push, reply, request } from './message.js';
import { zProviderClass } from './device.js';
import { LINKS } from './links.js';
import { zKnownList } from './skew.js';
import { zCount } from './verbs.js';

/** What the devices of runs in progress carry, by their counters. */

/** Per second, over the interval between the two latest readings. */
export const zPacketRate = z.object({
  packets: z.number().min(0),
  /** From the BTH to the ICRC; on hardware what its port counts. Null: the device counts packets only. */
  bytes: z.number().min(0).nullable(),
});
export type PacketRate = z.infer<typeof zPacketRate>;

export const zEndTraffic = z.object({
  /** A role of the lab, or a process of the program. */
  endpoint: z.string(),
  /** A paired agent, or `local`. */
  host: z.string(),
  device: z.string(),
  providerClass: zProviderClass,
  /** Null before the second reading, and for a device without these counters. */
  rate: z.object({ in: zPacketRate, out: zPacketRate, seconds: z.number() }).nullable(),
  /** That carried packets in the interval, as far as the device counts by link. */
  links: zKnownList(LINKS),
});
export type EndTraffic = z.infer<typeof zEndTraffic>;

export const zRunTraffic = z.object({ run: zCount, runId: z.string(), ends: z.array(zEndTraffic) });
export type RunTraffic = z.infer<typeof zRunTraffic>;

export const DEVICE_TRAFFIC_MESSAGES = [
  /** `traffic.changed` comes twice per second from now on, or no more. Nothing is read while nobody watches. */
  request('traffic.watch', { on: z.boolean() }, reply('traffic.watched', { on: z.boolean() }), {
    what: '`traffic.changed` from now on, or no more (`on`)',
  }),
  /** To clients that watch: every run in progress; the last one is empty. */
  push('traffic.changed', { runs: z.array(zRunTraffic) }),
];
