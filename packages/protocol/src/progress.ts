import { z } from 'zod';
import { push, reply, request } from './message.js';
import { zCount } from './verbs.js';

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

/** Only labs with progress. */
const PROGRESS = reply('progress', { labs: z.array(zLabProgress) });

export const PROGRESS_MESSAGES = [
  request('progress.get', {}, PROGRESS, {
    what: 'what was done with each lab: runs that ended as done, self-checks, and when',
  }),
  /** A self-check of a lab was answered. The page knows its numbers, so the page judges. */
  request(
    'progress.answer',
    { lab: z.string().max(64), check: z.string().max(64), right: z.boolean() },
    PROGRESS,
    {
      what: 'a self-check was answered: `lab`, `check`, `right`; a right answer stays right. The lab `exercises` stands for the exercises, and `check` for one of them',
    },
  ),
  /** Forgets all progress. Runs stay. */
  request('progress.reset', {}, PROGRESS, { what: 'forgets all progress and keeps the runs' }),
  /** To every client but peers, unasked: a run is done, a self-check was answered, or all was forgotten. */
  push('progress.changed', { labs: z.array(zLabProgress) }),
];
