import { zErrorInfo, zMachineStep } from '@verbslab/protocol';
import { z } from 'zod';

/** Messages of the process that starts or stops the machines to its agent. The last one is the outcome. */
export const zChildMessage = z.union([
  z.object({ said: z.string() }),
  z.object({ name: z.string(), step: zMachineStep }),
  z.object({ output: z.string() }),
  z.object({ ended: z.enum(['done', 'failed', 'cancelled']), error: zErrorInfo.nullable() }),
]);
export type ChildMessage = z.infer<typeof zChildMessage>;
