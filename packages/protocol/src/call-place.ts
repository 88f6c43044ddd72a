import { z } from 'zod';

/** Place of a call in a program. */
export const zCallPlace = z.object({
  function: z.string().max(256).nullable(),
  /** Path of the program or library, and the offset from its load address. */
  object: z.string().max(4096),
  offset: z.string().regex(/^0x[0-9a-f]{1,16}$/),
  /** Source file and line; null if unknown. */
  file: z.string().max(1024).nullable(),
  line: z.int().min(1).nullable(),
  /** Reason for a missing line: no debug information, no tool that reads it, or the file could not be read. */
  missing: z.enum(['debug-info', 'tool', 'file']).optional(),
});
export type CallPlace = z.infer<typeof zCallPlace>;
