import { readBlocks } from '@verbslab/labs';
import { TASKS, type WorkbenchTask } from '@verbslab/labs/workbench';
import { glossedBlocks, type ShownBlock } from '../parts/text/glossed';

/** A task as its page shows it: the reader of Markdown and the checkers stay out of the page. */
export interface ShownTask extends Pick<WorkbenchTask, 'id' | 'title' | 'starter' | 'solution' | 'points'> {
  text: ShownBlock[];
  hints: ShownBlock[][];
  next: { id: string; title: string } | null;
}

/** Done where the pages are built. */
export function shownTask({ id, title, starter, solution, points, text, hints }: WorkbenchTask): ShownTask {
  const next = TASKS[TASKS.findIndex((one) => one.id === id) + 1];
  const [shown, ...shownHints] = glossedBlocks([text, ...hints].map(readBlocks));
  return {
    ...{ id, title, starter, solution, points },
    text: shown!,
    hints: shownHints,
    next: next ? { id: next.id, title: next.title } : null,
  };
}
