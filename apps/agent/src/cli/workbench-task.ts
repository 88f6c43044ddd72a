import { findTask, TASKS, type WorkbenchTask } from '@verbslab/labs/workbench';
import { AppError } from '@verbslab/protocol';

/** Finds a task. Throws AppError UNKNOWN_TASK. */
export function taskOf(id: string): WorkbenchTask {
  const task = findTask(id);
  if (task) return task;
  throw new AppError('UNKNOWN_TASK', { task: id, known: TASKS.map((one) => one.id).join(', ') });
}
