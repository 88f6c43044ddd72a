import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { repetitions } from '../form/common-params.js';

export const pollingEventsParams = z.object({
  gap: z.int().min(0).max(100_000).default(1000).meta({
    title: 'Gap between messages',
    description: 'Shortest time that the client waits after each answer before it sends the next message.',
    unit: 'µs',
  }),
  budget: z.int().min(1).max(100_000).default(100).meta({
    title: 'Polling budget',
    description: 'How long the adaptive server polls an empty CQ before it arms the CQ and sleeps.',
    unit: 'µs',
  }),
  messages: z.int().min(20).max(5000).default(350).meta({
    title: 'Messages per measurement',
    description:
      'Each is answered before the next one is sent. Ten warm-up messages come first, and their times are not counted. p99 needs 1,000 messages in all repetitions together.',
  }),
  repeat: repetitions,
  link: linkParam,
});

export type PollingEventsParams = z.output<typeof pollingEventsParams>;
