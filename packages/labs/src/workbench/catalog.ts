/** The tasks of the workbench, in the order in which they build on each other. */
import { TASK_FILES } from '../generated/workbench.js';
import { POINTS } from './points.js';
import type { PointResult, Recorded, WorkbenchTask } from './task.js';
import { readRecord } from './record.js';

const ORDER = ['set-up', 'send', 'immediate', 'write', 'read', 'atomics', 'clean-up'] as const;
export type TaskId = (typeof ORDER)[number];

export const TASKS: readonly WorkbenchTask[] = ORDER.map((id) => {
  const files = TASK_FILES[id];
  if (!files) throw new Error(`The task ${id} has no folder.`);
  return { id, ...files, points: POINTS[id].map((point) => ({ id: point.id, text: point.text })) };
});

export const findTask = (id: string): WorkbenchTask | undefined => TASKS.find((task) => task.id === id);

/**
 * Results of a run for each point of a task. The items are those of the run's stream, in any order, once its program
 * has ended.
 *
 * @throws Error for an unknown task
 */
export function checkTask(id: string, items: Iterable<Recorded>): PointResult[] {
  const task = ORDER.find((one) => one === id);
  if (!task) throw new Error(`There is no task ${id}.`);
  const record = readRecord(items);
  // Reasons why the message is missing appear once.
  const said = new Map<string, string>();
  return POINTS[task].map((point) => {
    const fault = point.look(record);
    const { id: name, text } = point;
    if (fault === null) return { id: name, text, passed: true };
    const { ofMessage, ...rest } = fault;
    const before = said.get(fault.why);
    if (ofMessage && before !== undefined)
      return { id: name, text, passed: false, why: `The same as for “${before}”.` };
    if (ofMessage) said.set(fault.why, text);
    return { id: name, text, passed: false, ...rest };
  });
}

export {
  type PointResult,
  type Recorded,
  type SourceLine,
  type TaskPoint,
  type WorkbenchTask,
} from './task.js';
