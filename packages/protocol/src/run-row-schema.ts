import { z } from 'zod';
import { zFigureValue } from './lab-results.js';
import { zProgramResult, zRunRecord, zRunResult, zTransport, zTransportResult } from './runs.js';
import { zCount } from './verbs.js';

/** Figures of a transport without its single rounds. */
const zRowTransport = zTransportResult.omit({ rounds: true }).extend({ roundCount: zCount.optional() });

const zRowResult = zRunResult
  .omit({ parameters: true, checks: true, notes: true, captureFile: true, error: true, endpoints: true })
  .extend({
    endpoints: z.array(z.object({ role: z.string(), host: z.string(), device: z.string() })).optional(),
    transports: z.partialRecord(zTransport, zRowTransport),
    /** The first figures of the lab. */
    results: z.object({ figures: z.record(z.string(), zFigureValue) }).optional(),
    /** Names of the first tables and curves that the lab filled. */
    filled: z.array(z.string()).optional(),
    program: zProgramResult.omit({ system: true }).optional(),
  });
export type RowResult = z.infer<typeof zRowResult>;

/** A run in lists: its record without the parts that only its own page shows. */
export const zRunRow = zRunRecord.extend({ result: zRowResult.nullable() });
export type RunRow = z.infer<typeof zRunRow>;
