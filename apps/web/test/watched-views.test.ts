/** Watched panels of the labs, against the panels of the page. */
import { expect, it } from 'vitest';
import { CATALOG } from '../src/labs/catalog';
import { isWatched, PANELS } from '../src/run/panel-list';

/** Names that the step page draws without panels. */
const OF_STEPS: readonly string[] = [
  'steps',
  'states',
  'counters',
  'completions',
  'packets',
  'verbs',
  'checks',
];

// Links of a text lead to what its lab watches: see packages/labs/test/form.test.ts.
it.each(CATALOG.map((lab) => [lab.id, lab] as const))(
  'the page of %s has what the lab watches',
  (_id, lab) => {
    const known = lab.steps ? OF_STEPS : PANELS.map(({ id }) => id);
    for (const id of lab.watch) expect(known).toContain(id);
  },
);

it('every panel is shown for something that a lab watches', () => {
  const watched = CATALOG.flatMap((lab) => lab.watch);
  for (const panel of PANELS) expect([panel.id, isWatched(panel, watched)]).toEqual([panel.id, true]);
});
