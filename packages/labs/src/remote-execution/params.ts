import { z } from 'zod';
import { FUNCTIONS, type FunctionId } from '../lambda/functions.js';
import { linkParam } from '../endpoints/link.js';
import { repetitions } from '../form/common-params.js';

const ids = ['own', ...FUNCTIONS.map(({ id }) => id)] as ['own', ...FunctionId[]];

export const SMALLEST = 4096;
/** Memory of a function in the sandbox, input and output included. */
export const MEMORY_BYTES = 16 * 1024 * 1024;

export const remoteExecutionParams = z.object({
  function: z
    .enum(ids)
    .default('count')
    .meta({
      title: 'Function',
      description:
        'What is computed from the server’s data. The data are 32-bit values. Your own module needs an agent that was started with VERBSLAB_MODULE=/path/to/module.wasm.',
      choiceTitles: {
        own: 'Your own module',
        ...Object.fromEntries(FUNCTIONS.map(({ id, title }) => [id, title])),
      },
    }),
  largest: z
    .int()
    .min(8 * SMALLEST)
    .max(8 * 1024 * 1024)
    .default(8 * 1024 * 1024)
    .meta({
      title: 'Largest data',
      description: 'Sizes grow from 4 KiB up to it, by a factor of 8; the last step may be smaller.',
      unit: 'B',
    }),
  rounds: z.int().min(1).max(100).default(5).meta({
    title: 'Calls per measurement',
    description: 'A measurement is the median of them. One warm-up call comes before it.',
  }),
  timeLimit: z.int().min(10).max(1000).default(100).meta({
    title: 'Time limit',
    description: 'After it, the server stops a function that loops forever.',
    unit: 'ms',
  }),
  repeat: repetitions,
  link: linkParam,
});

export type RemoteExecutionParams = z.output<typeof remoteExecutionParams>;
