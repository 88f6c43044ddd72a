import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';
import { repetitions } from '../form/common-params.js';

export const notifyTargetParams = z.object({
  size: z.int().min(1).max(65_536).default(64).meta({
    title: 'Message size',
    description: 'Bytes of each WRITE. The target checks every byte when it notices the message.',
    unit: 'B',
  }),
  messages: z.int().min(10).max(2000).default(50).meta({
    title: 'Messages per measurement',
    description:
      'Each is answered before the next one is sent. Ten warm-up messages come first, and their times are not counted.',
  }),
  pause: z.int().min(0).max(100).default(1).meta({
    title: 'Pause between messages',
    description:
      'Shortest time that the client waits after each answer. A target that polls uses CPU time in every pause.',
    unit: 'ms',
  }),
  repeat: repetitions,
  link: linkParam,
});

export type NotifyTargetParams = z.output<typeof notifyTargetParams>;
