import { z } from 'zod';

export const cmTimewaitParams = z.object({
  lost: z.int().min(0).max(8).default(1).meta({
    title: 'Requests to disconnect that are lost',
    description:
      'DisconnectRequests of the third connection, lost at the client’s device. The embedded device sends the message five times, so from 5 on none arrives.',
  }),
});

export type CmTimewaitParams = z.output<typeof cmTimewaitParams>;
