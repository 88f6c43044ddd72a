import { z } from 'zod';

export const cmPoolingParams = z.object({
  requests: z.int().min(2).max(200).default(24).meta({
    title: 'Requests',
    description: 'WRITEs by each way, one after another.',
  }),
  clients: z.int().min(1).max(8).default(4).meta({
    title: 'Clients',
    description:
      'Clients that reconnect after the server’s restart. The first one also compares the two ways.',
  }),
  outage: z.int().min(50).max(3000).default(500).meta({
    title: 'Outage',
    description: 'How long no program listens.',
    unit: 'ms',
  }),
  pause: z.int().min(1).max(500).default(20).meta({
    title: 'First pause',
    description: 'Pause after the first failed try. Without back-off, all pauses are this long.',
    unit: 'ms',
  }),
});

export type CmPoolingParams = z.output<typeof cmPoolingParams>;
