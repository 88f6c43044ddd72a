/** A question before a step of a lab. What the run records in the step decides which of its options is right. */
import { z } from 'zod';

/** Things that a step records, and that can be counted. */
export const STEP_COUNTS = ['calls', 'packets', 'completions', 'exchanges', 'async'] as const;
export type StepCount = (typeof STEP_COUNTS)[number];

/** A number of recorded things between two bounds. */
const zStepCondition = z.object({
  count: z.enum(STEP_COUNTS),
  /** Role at which it is counted; for packets, the sender. Absent: all of them. */
  at: z.string().optional(),
  /** Name of the call or event, status of the completion, or beginning of the packet's name: `WRITE`, `READ response`. */
  of: z.string().optional(),
  /** For calls: an argument of this name, or with this value. */
  with: z.string().optional(),
  /** Calls that failed, and completions in error, alone. */
  failed: z.literal(true).optional(),
  /** Counts in all steps up to this one. */
  soFar: z.literal(true).optional(),
  /** Bounds, both inclusive. Absent: from 0, and without a limit. */
  min: z.int().min(0).optional(),
  max: z.int().min(0).optional(),
});
export type StepCondition = z.infer<typeof zStepCondition>;

export const zStepQuestion = z.object({
  text: z.string(),
  options: z
    .array(
      z.object({
        id: z.string().regex(/^[a-z][A-Za-z0-9-]*$/),
        text: z.string(),
        /** Conditions that all hold in a run that shows this option to be right. Without any, no run does. */
        when: z.array(zStepCondition).optional(),
      }),
    )
    .min(2)
    .max(4),
  /** Reason for the right answer, in one sentence. */
  why: z.string(),
});
export type StepQuestion = z.infer<typeof zStepQuestion>;
