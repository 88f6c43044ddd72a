import { z } from 'zod';

const KIB = 1024;
const MIB = KIB * KIB;

export const livelockParams = z.object({
  every: z.int().min(128).max(8192).default(256).meta({
    title: 'Packets per loss',
    description: 'The link loses one packet in every so many, counted over all data packets.',
  }),
  mtu: z
    .enum(['1024', '2048', '4096'])
    .default('4096')
    .meta({ title: 'Path MTU', description: 'Payload of a full packet, in bytes.' }),
  largest: z
    .int()
    .min(64 * KIB)
    .max(16 * MIB)
    .default(4 * MIB)
    .meta({
      title: 'Largest message',
      description: 'Message sizes double from 16 KiB up to it.',
      unit: 'B',
    }),
  duration: z.number().min(2).max(50).default(4).meta({
    title: 'Virtual time of each simulation',
    description: 'A shorter one has fewer losses.',
    unit: 'ms',
  }),
});
export type LivelockParams = z.output<typeof livelockParams>;
