/** Check of CONTRIBUTING: adding a panel or a track takes an entry in a table and nothing else. */
import { transportName } from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import type { RunSession } from '../src/connection/run-sessions';
import type { RunView } from '../src/connection/run-view';
import { CATALOG } from '../src/labs/catalog';
import type { RunModel } from '../src/model/run-model';
import { areaRows } from '../src/parts/timeline/kinds';
import { timelineOf } from '../src/parts/timeline/tracks/timeline-of';
import { TrackEvents } from '../src/parts/timeline/model/track-events';
import { MAKERS, type Maker } from '../src/parts/timeline/tracks/list';
import { PanelGrid } from '../src/run/panel-grid';
import { PANELS, type PanelDef } from '../src/run/panel-list';
import { recorded } from './machine/recorded';

vi.mock('next/navigation', () => ({
  useRouter: () => ({ replace: () => undefined }),
  useSearchParams: () => new URLSearchParams(),
  usePathname: () => '/runs/view',
}));

const lab = CATALOG.find(({ steps }) => !steps)!;
const model = recorded('srq');
const callsOf = ({ trace }: RunModel) => trace.filter((e) => e.kind === 'verb');

it('a panel is there once it is in the list and a lab watches it by its id', () => {
  const added: PanelDef = {
    ...{ id: 'added', title: 'Calls per endpoint', chart: false, span: 6, height: 200 },
    Content: ({ view }) => <p>{callsOf(view.model).length} calls</p>,
  };
  const view = { model, paused: false } as RunView;
  const page = (all: readonly PanelDef[], watch: string[]) =>
    renderToStaticMarkup(
      <PanelGrid
        session={{ view, state: 'complete' } as RunSession}
        lab={{ ...lab, watch }}
        layoutName="measure"
        all={all}
      />,
    );
  const both = [...PANELS, added];
  const shown = page(both, ['verbs', 'added']);
  expect(shown).toContain('data-panel="added"');
  expect(shown).toContain('Calls per endpoint');
  expect(shown).toContain(' calls</p>');
  expect(page(both, ['verbs'])).not.toContain('Calls per endpoint');
  expect(page(PANELS, ['verbs', 'added'])).toBe(page(both, ['verbs']));
});

it('a track is there once its maker is in the list', () => {
  const added: Maker = {
    make: ({ model: run }) => [
      {
        ...{
          id: 'added',
          group: '',
          title: 'Calls so far',
          kind: 'lines',
          form: 'steps',
          unit: '',
          height: 40,
        },
        top: callsOf(run).length,
        lines: [
          {
            name: 'calls',
            color: 'accent',
            t: Float64Array.from(callsOf(run), ({ t }) => t),
            y: Float64Array.from(callsOf(run), (_, i) => i + 1),
          },
        ],
      },
    ],
  };
  const nameOf = (transport: Parameters<typeof transportName>[0]) => transportName(transport, null);
  const timeline = (makers?: readonly Maker[]) =>
    timelineOf({ model, lab: null, events: new TrackEvents(model).update(), analysis: null, nameOf }, makers);
  const before = timeline();
  const { tracks, domain, groups } = timeline([added, ...MAKERS]);
  const track = tracks.find(({ id }) => id === 'added')!;
  expect(tracks.filter((one) => one !== track).map(({ id }) => id)).toEqual(
    before.tracks.map(({ id }) => id),
  );
  expect(groups[0]).toMatchObject({ id: '', title: 'Run' });
  expect(areaRows([track], ...domain)).toEqual([
    { track: 'Calls so far', group: '', what: 'change', count: null, value: `+${callsOf(model).length}` },
  ]);
  expect(before.tracks.some(({ id }) => id === 'added')).toBe(false);
});
