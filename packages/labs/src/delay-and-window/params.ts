import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { pointMs, repetitionsForFastest } from '../form/common-params.js';

export const delayAndWindowParams = z.object({
  size: z.int().min(256).max(4096).default(4096).meta({
    title: 'Message size',
    description: 'Payload of each WRITE.',
    unit: 'B',
  }),
  largest: z.int().min(8).max(64).default(64).meta({
    title: 'Largest window',
    description:
      'The lab keeps 1, 2, 4, … up to this number of messages in flight. The embedded device has at most 512 KiB and 512 packets in flight for a QP.',
  }),
  delay: z.int().min(20).max(2000).default(60).meta({
    title: 'Longest delay',
    description:
      'The server’s device holds each packet that it sends back for this time. The lab also measures without delay, and with a quarter of this.',
    unit: 'µs',
  }),
  duration: pointMs(50),
  repeat: repetitionsForFastest,
  link: linkParam,
});
export type DelayAndWindowParams = z.output<typeof delayAndWindowParams>;
