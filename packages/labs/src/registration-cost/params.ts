import { z } from 'zod';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/** The smallest region of every run. */
export const SMALLEST = 4 * KIB;

export const registrationCostParams = z.object({
  largest: z
    .int()
    .min(16 * KIB)
    .max(GIB)
    .default(64 * MIB)
    .meta({
      title: 'Largest buffer',
      description:
        'Sizes grow from 4 KiB to this size, by a factor of 4. A buffer of 1 GiB needs 1 GiB of free memory.',
      unit: 'B',
    }),
  rounds: z.int().min(3).max(15).default(6).meta({
    title: 'Rounds',
    description: 'How often each size is measured. Figures are medians of the rounds.',
  }),
  hugePages: z.boolean().default(true).meta({
    title: 'Huge pages',
    description:
      'Also register buffers of 2 MiB and more in huge pages, if the host has free ones (vm.nr_hugepages).',
  }),
});

export type RegistrationCostParams = z.output<typeof registrationCostParams>;
