import { z } from 'zod';
import { CASES } from '../failures/cases/index.js';
import { linkParam } from '../link.js';

const ids = CASES.map(({ id }) => id) as [string, ...string[]];

export const clinicParams = z.object({
  case: z
    .enum(['random', ...ids])
    .default('random')
    .meta({
      title: 'Failure',
      description: 'Random takes one by the seed and does not name it first.',
      choiceTitles: Object.fromEntries(CASES.map(({ id, name }) => [id, name])),
    }),
  seed: z.int().min(1).max(1_000_000).default(1).meta({
    title: 'Seed',
    description: 'Which failure random takes. The same seed takes the same failure.',
  }),
  reveal: z.boolean().default(true).meta({
    title: 'Reveal the diagnosis',
    description: 'Off: the run shows the symptoms only. Run again with the same seed to see the diagnosis.',
  }),
  link: linkParam,
});

export type ClinicParams = z.output<typeof clinicParams>;
