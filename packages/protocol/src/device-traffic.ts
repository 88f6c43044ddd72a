import { z } from 'zod';
import { push, reply, request } from './message.js';
import { zProviderClass } from './device.js';
import { LINKS } from './links.js';
import { zKnownList } from './skew.js';
import { zCount } from './verbs.js';

/** Traffic of the devices of runs in progress, from their counters. */

/** Rate per second, over the interval between the two latest readings. */
export const zPacketRate = z.object({
  packets: z.number().min(0),
  /** Bytes from the BTH to the ICRC; on hardware, those that its port counts. Null: the device counts only packets. */
  bytes: z.number().min(0).nullable(),
});
export type PacketRate = z.infer<typeof zPacketRate>;

export const zEndTraffic = z.object({
  /** Role of the lab, or process of the program. */
  endpoint: z.string(),
  /** Paired agent, or `local`. */
  host: z.string(),
  device: z.string(),
  providerClass: zProviderClass,
  /** Rates. Null before the second reading, and for a device without these counters. */
  rate: z.object({ in: zPacketRate, out: zPacketRate, seconds: z.number() }).nullable(),
  /** Links that carried packets in the interval, if the device counts by link. */
  links: zKnownList(LINKS),
});
export type EndTraffic = z.infer<typeof zEndTraffic>;

export const zRunTraffic = z.object({ run: zCount, runId: z.string(), ends: z.array(zEndTraffic) });
export type RunTraffic = z.infer<typeof zRunTraffic>;

export const DEVICE_TRAFFIC_MESSAGES = [
  /** Starts or stops `traffic.changed`, which comes twice per second. Nothing is read while no client watches. */
  request('traffic.watch', { on: z.boolean() }, reply('traffic.watched', { on: z.boolean() }), {
    what: '`traffic.changed` from now on, or no more (`on`)',
  }),
  /** To clients that watch: every run in progress. The last message is empty. */
  push('traffic.changed', { runs: z.array(zRunTraffic) }),
];
