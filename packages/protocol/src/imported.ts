import { z } from 'zod';
import { ID_FORM } from './ids.js';
import { zRunOfSweep } from './sweeps.js';

/** Where a run comes from that another agent recorded. A run that is exported and imported again keeps its first origin. */
export const zImported = z.object({
  /** When it was imported here, milliseconds since 1970. */
  at: z.number(),
  /** The host that recorded it. */
  host: z.string().max(256),
  /** Its ID and its number there. */
  runId: z.string().regex(ID_FORM),
  number: z.int().min(1).max(0xffff_ffff),
  /** The sweep there that it belonged to. */
  sweep: zRunOfSweep.optional(),
});
export type Imported = z.infer<typeof zImported>;
