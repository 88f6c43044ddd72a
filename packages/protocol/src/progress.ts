import { z } from 'zod';
import { zCount, zU32 } from './verbs.js';

/** Stands for a lab in the progress of exercises, whose ids are those of the checks. */
export const EXERCISES_LAB = 'exercises';
/** Stands for a lab in the progress of the workbench’s tasks. */
export const WORKBENCH_LAB = 'workbench';
/** A task in a language as a check of that progress: `send-c`. */
export const taskCheck = (task: string, language: string): string => `${task}-${language}`;

/** What was done with a lab on this agent. Times are milliseconds since 1970. */
export const zLabProgress = z.object({
  lab: z.string(),
  /** Runs that ended as done, also those that were deleted since. */
  runs: zCount,
  lastRunAt: z.number().nullable(),
  /** Self-checks that were answered. A right answer stays right, with its time. */
  checks: z.array(z.object({ id: z.string(), right: z.boolean(), answeredAt: z.number() })),
});
export type LabProgress = z.infer<typeof zLabProgress>;

const request = { id: zU32 };

export const PROGRESS_CLIENT_MESSAGES = {
  'progress.get': z.object({ type: z.literal('progress.get'), ...request }),
  /** A self-check of a lab was answered. The page knows its numbers, so the page judges. */
  'progress.answer': z.object({
    type: z.literal('progress.answer'),
    ...request,
    lab: z.string().max(64),
    check: z.string().max(64),
    right: z.boolean(),
  }),
  /** Forgets all progress. Runs stay. */
  'progress.reset': z.object({ type: z.literal('progress.reset'), ...request }),
} as const;

export const PROGRESS_AGENT_MESSAGES = {
  /** Only labs with progress. */
  progress: z.object({ type: z.literal('progress'), re: zU32, labs: z.array(zLabProgress) }),
  /** To every client but peers, unasked: a run is done, a self-check was answered, or all was forgotten. */
  'progress.changed': z.object({ type: z.literal('progress.changed'), labs: z.array(zLabProgress) }),
} as const;
