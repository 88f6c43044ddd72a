import { TASKS } from '@verbslab/labs/workbench';
import { expect, it } from 'vitest';
import { PROGRAM_PANELS } from '../src/run/panel-list';
import { nextPlace } from '../src/workbench/next-place';

it.each(TASKS.map((task) => [task.id, task] as const))(
  'each point of the task %s has a place to look at, a panel of a program’s page under its title',
  (_, { points }) => {
    for (const { id } of points) {
      const place = nextPlace(id);
      const panel = PROGRAM_PANELS.find((one) => one.id === place?.panel);
      expect(panel?.title, id).toBe(place?.title);
      expect(place?.after, id).toMatch(/\.$/);
    }
  },
);
