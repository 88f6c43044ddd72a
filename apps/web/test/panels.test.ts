/** Every panel of the registry, drawn from records that went in through the model. */
import { describe, expect, it, vi } from 'vitest';
import { PANELS, PROGRAM_PANELS } from '../src/run/panel-list';
import { PROGRAM, draw, fed, plain } from './panels/case';
import { FABRIC } from './panels/fabric';
import { MACHINE } from './panels/machine';
import { MEASURED } from './panels/measured';
import { OF_PROGRAMS } from './panels/program';
import { RECORDS } from './panels/records';

vi.mock('next/navigation', () => ({
  useRouter: () => ({ replace: () => undefined }),
  useSearchParams: () => new URLSearchParams(),
  usePathname: () => '/runs/view',
}));

const TESTED = { ...FABRIC, ...MACHINE, ...MEASURED, ...RECORDS, ...OF_PROGRAMS };
const registered = [...new Set([...PANELS, ...PROGRAM_PANELS].map(({ id }) => id))];

it('each panel has component tests here, with data', () => {
  const tested = Object.keys(TESTED).filter((id) => Object.keys(TESTED[id]!.cases).length > 0);
  expect(tested.sort()).toEqual([...registered].sort());
});

describe.each(registered.filter((id) => TESTED[id]))('the panel %s', (id) => {
  const { Content, empty, cases, ...look } = TESTED[id]!;
  const lab = PROGRAM_PANELS.some((panel) => panel.id === id) ? PROGRAM : {};

  it('says what will come while there is nothing, and after the end why there was nothing', () => {
    for (const state of ['running', 'done'] as const) {
      const told = plain(draw(Content, fed({ run: { ...lab, state } }), look));
      expect(told).toContain(empty[state]);
      expect(told).not.toContain(empty[state === 'running' ? 'done' : 'running']);
    }
  });

  it('claims nothing about a finished run before its records have come', () => {
    const told = plain(draw(Content, fed({ run: { ...lab, state: 'done' } }), { ...look, replaying: true }));
    for (const text of Object.values(empty)) expect(told).not.toContain(text);
  });

  for (const [name, test] of Object.entries(cases)) it(name, test);
});
