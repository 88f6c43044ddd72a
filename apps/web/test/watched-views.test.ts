/** What labs say that their page shows, against the panels that it has. */
import { WATCH_VIEWS } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../src/labs/catalogue';
import { PANEL_OF } from '../src/parts/text/live';
import { isWatched, PANELS, PROGRAM_PANELS } from '../src/run/panel-list';

/** Drawn by the page of a lab that is gone through step by step, without panels. */
const OF_STEPS: readonly string[] = [
  'steps',
  'states',
  'counters',
  'completions',
  'packets',
  'verbs',
  'checks',
];

describe.each(CATALOGUE.map((lab) => [lab.id, lab] as const))('the page of %s', (_id, lab) => {
  it('has what the lab says that it shows', () => {
    for (const view of lab.watch) {
      const panels = PANELS.filter((panel) => panel.watch !== undefined && isWatched(panel, [view]));
      if (lab.steps) expect(OF_STEPS).toContain(view);
      else expect([view, panels.length > 0]).toEqual([view, true]);
    }
  });

  it('has the panels that links of its text lead to', () => {
    if (lab.steps) return;
    const shown = PANELS.filter((panel) => isWatched(panel, lab.watch)).map(({ id }) => id);
    for (const view of lab.watch) expect(shown).toContain(PANEL_OF[view] ?? view);
  });
});

it('every panel is shown for something that a lab or a program can be watched by', () => {
  const views = new Set<string>(WATCH_VIEWS);
  for (const { id, watch } of [...PANELS, ...PROGRAM_PANELS])
    for (const view of watch === undefined ? [] : [watch].flat())
      expect([id, views.has(view)]).toEqual([id, true]);
  const watched = new Set(CATALOGUE.flatMap((lab) => lab.watch));
  for (const panel of PANELS)
    if (panel.watch !== undefined)
      expect([panel.id, isWatched(panel, [...watched])]).toEqual([panel.id, true]);
});
