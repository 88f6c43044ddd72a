import { z } from 'zod';
import { push, reply, request } from './message.js';
import { zCount } from './verbs.js';

/** Id in place of a lab for the progress of exercises. Their ids are those of the checks. */
export const EXERCISES_LAB = 'exercises';
/** Id in place of a lab for the progress of the workbench’s tasks. */
export const WORKBENCH_LAB = 'workbench';
/** Id of a check for a task in a language: `send-c`. */
export const taskCheck = (task: string, language: string): string => `${task}-${language}`;

/** Progress of a lab on this agent. Times are milliseconds since 1970. */
export const zLabProgress = z.object({
  lab: z.string(),
  /** Number of runs that ended as done, including deleted ones. */
  runs: zCount,
  lastRunAt: z.number().nullable(),
  /** Answered self-checks. A right answer stays right, with its time. */
  checks: z.array(z.object({ id: z.string(), right: z.boolean(), answeredAt: z.number() })),
});
export type LabProgress = z.infer<typeof zLabProgress>;

/** Reply with all labs that have progress. */
const PROGRESS = reply('progress', { labs: z.array(zLabProgress) });

export const PROGRESS_MESSAGES = [
  request('progress.get', {}, PROGRESS, {
    what: 'what was done with each lab: runs that ended as done, self-checks, and when',
  }),
  /** Records the answer to a self-check of a lab. The page knows the lab's numbers, so the page judges the answer. */
  request(
    'progress.answer',
    { lab: z.string().max(64), check: z.string().max(64), right: z.boolean() },
    PROGRESS,
    {
      what: 'a self-check was answered: `lab`, `check`, `right`; a right answer stays right. The lab `exercises` stands for the exercises, and `check` for one of them',
    },
  ),
  /** Deletes all progress. Runs stay. */
  request('progress.reset', {}, PROGRESS, { what: 'forgets all progress and keeps the runs' }),
  /**
   * To every client but peers, without a request: a run is done, a self-check was answered, or all progress was
   * deleted.
   */
  push('progress.changed', { labs: z.array(zLabProgress) }),
];
