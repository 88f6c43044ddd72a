import { z } from 'zod';
import { CASES } from '../failures/cases/index.js';
import { linkParam } from '../endpoints/link.js';

const ids = CASES.map(({ id }) => id) as [string, ...string[]];

export const clinicParams = z.object({
  case: z
    .enum(['random', ...ids])
    .default('random')
    .meta({
      title: 'Failure',
      description: 'Random takes one by the seed, and names it only if you ask.',
      choiceTitles: Object.fromEntries(CASES.map(({ id, name }) => [id, name])),
    }),
  seed: z.int().min(1).max(1_000_000).default(6).meta({
    title: 'Seed',
    description: 'Which failure random takes. On the same devices, the same seed takes the same failure.',
  }),
  reveal: z.boolean().default(false).meta({
    title: 'Reveal the diagnosis',
    description:
      'Names and explains a random failure. Off: the run shows its symptoms only. A failure that you choose by name is always explained.',
  }),
  link: linkParam,
});

export type ClinicParams = z.output<typeof clinicParams>;
