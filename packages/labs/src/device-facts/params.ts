import { z } from 'zod';

export const deviceFactsParams = z.object({
  interfaceMtu: z.int().min(576).max(65_536).default(1500).meta({
    title: 'Interface MTU',
    description:
      'The run computes the path MTU for it. Ethernet has 1500 B, jumbo frames have 9000 B. The run also shows the MTU of this device’s own interface.',
    unit: 'B',
  }),
  beyond: z.int().min(0).max(1000).default(1).meta({
    title: 'Entries beyond the limit',
    description: 'How many entries beyond the limit the run asks for. 0 asks for exactly the limit.',
  }),
});

export type DeviceFactsParams = z.output<typeof deviceFactsParams>;
