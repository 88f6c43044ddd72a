import { z } from 'zod';
import { ID_FORM } from './ids.js';
import { zRunOfSweep } from './sweeps.js';

/** Origin of a run that another agent recorded. A run that is exported and imported again keeps its first origin. */
export const zImported = z.object({
  /** Time of the import here, ms since 1970. */
  at: z.number(),
  /** Host that recorded the run. */
  host: z.string().max(256),
  /** Id and number of the run there. */
  runId: z.string().regex(ID_FORM),
  number: z.int().min(1).max(0xffff_ffff),
  /** Sweep of the run there. */
  sweep: zRunOfSweep.optional(),
});
export type Imported = z.infer<typeof zImported>;
