import type { LabContext } from '@verbslab/protocol';
import { z } from 'zod';
import { hosts } from '../collective/declarations.js';
import { repetitionsThat } from '../form/common-params.js';
import { linkParam } from '../endpoints/link.js';

/** Exchanges of one repetition. */
export const EXCHANGES = 9;

export const allToAllParams = z.object({
  hosts: hosts('P. Each has a connection to every other one.'),
  small: z.int().min(16).max(256).default(64).meta({
    title: 'Small block',
    description: 'Bytes that a host has for each other host.',
    unit: 'B',
  }),
  large: z.int().min(1024).max(32_768).default(16_384).meta({
    title: 'Large block',
    description: 'The same for the second block size.',
    unit: 'B',
  }),
  repeat: repetitionsThat(
    `Per algorithm and block size. Each is the median of ${EXCHANGES} exchanges. Results show the median of the repetitions and the range.`,
    5,
    20,
  ),
  link: linkParam,
});

export type AllToAllParams = z.output<typeof allToAllParams>;
export type Context = LabContext<AllToAllParams>;
