'use client';
import { isFinal, type LabDescription } from '@verbslab/protocol';
import { RotateCcw } from 'lucide-react';
import { memo, useEffect, useMemo, useState } from 'react';
import type { RunSession } from '../connection/run-sessions';
import { useAgent } from '../connection/store';
import { useResultTables } from '../parts/results/tables-store';
import { Button } from '../ui/button';
import { useLayout } from './layout-store';
import { arrange, MAX_SPAN } from '../model/layout';
import { Panel } from './panel';
import { isWatched, type PanelDef } from './panel-list';
import type { PanelContentProps } from '../parts/run/panel-content';
import { usePageHandle } from '../actions/page-store';
import { RunProvider } from '../parts/run/run-provider';
import type { Topic } from '../model/run-model';
import { useTopics } from '../connection/use-session';

const STATE: readonly Topic[] = ['state'];
const GRID = 'grid grid-cols-1 gap-3 lg:grid-cols-12';

/** Panels that can be resized and pinned. `layoutName`: key under which the layout is saved. */
export function PanelGrid(props: {
  session: RunSession;
  lab: LabDescription | null;
  layoutName: string;
  all: readonly PanelDef[];
}) {
  const { session, lab, layoutName, all } = props;
  const view = session.view!;
  useTopics(view, STATE);
  const connected = useAgent((s) => s.status === 'open');
  const { layout, changed, resize, togglePin, reset } = useLayout(layoutName, all);
  const [tables, setTables] = useState<ReadonlySet<string>>(new Set());
  const panels = useMemo(() => all.filter((p) => !lab || isWatched(p, lab.watch)), [lab, all]);

  const abilities = useMemo(
    () => ({
      'reset-layout': reset,
      'toggle-tables': () => {
        // Toggles the table of the focused panel, or of all charts if no panel has the focus.
        const focused = document.activeElement?.closest('[data-panel]')?.getAttribute('data-panel');
        const charts = panels.filter((p) => p.chart).map((p) => p.id);
        setTables((old) => {
          if (focused && charts.includes(focused)) return toggled(old, focused);
          return old.size > 0 ? new Set() : new Set(charts);
        });
        if (!focused) useResultTables.getState().toggle();
      },
    }),
    [reset, panels],
  );
  const pins = useMemo(
    () => ({
      pins: panels.map(({ id, title }) => ({
        ...{ id: `panel-${id}`, kind: 'panel' as const, title },
        pinned: layout[id]!.pinned,
        toggle: () => togglePin(id),
      })),
    }),
    [panels, layout, togglePin],
  );
  usePageHandle(abilities);
  usePageHandle(pins);

  useScrollToPanel();

  const isPinned = (p: PanelDef) => layout[p.id]!.pinned;
  const wanted = panels.filter((p) => p.wanted?.(view.model) ?? true);
  const groups = [wanted.filter(isPinned), wanted.filter((p) => !isPinned(p))].map((defs) => {
    const ids = defs.map(({ id }) => id);
    return { defs, ids, shown: arrange(ids, layout) };
  });
  const draw = ({ ids, shown }: (typeof groups)[number], p: PanelDef) => (
    <Panel
      key={p.id}
      id={p.id}
      title={p.titleIn?.(view.model) ?? p.title}
      place={shown[p.id]!}
      text={p.text ?? false}
      alone={
        p.fits
          ? layout[p.id]!.height === p.height
          : shown[p.id]!.span === MAX_SPAN && layout[p.id]!.span === p.span && p.span < MAX_SPAN
      }
      // Omitting panels out of sight saves time only while records stream in.
      always={isFinal(view.model.record.state) || !connected}
      onResize={(columns, pixels) => resize(ids, p.id, columns, pixels)}
      onPin={() => togglePin(p.id)}
      aside={
        <>
          {p.chart ? <RunProvider view={view} short /> : null}
          {p.Key ? <p.Key /> : null}
        </>
      }
      {...(p.chart
        ? { table: { shown: tables.has(p.id), toggle: () => setTables((old) => toggled(old, p.id)) } }
        : {})}
    >
      <PanelContent def={p} view={view} session={session} lab={lab} table={tables.has(p.id)} />
    </Panel>
  );
  const [pinned, rest] = groups as [(typeof groups)[number], (typeof groups)[number]];
  return (
    <>
      {pinned.defs.length > 0 ? (
        <div className="thin-scroll sticky top-12 z-[5] -mx-1 mb-3 max-h-[60vh] overflow-y-auto border-b bg-page px-1 py-3">
          <div className={GRID}>{pinned.defs.map((p) => draw(pinned, p))}</div>
        </div>
      ) : null}
      <div className={GRID}>{rest.defs.map((p) => draw(rest, p))}</div>
      {changed ? (
        <div className="mt-3 flex justify-end">
          <Button kind="quiet" onClick={reset}>
            <RotateCcw size={14} aria-hidden />
            Reset layout
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** Scrolls to the panel in the address, such as `#panel-verbs`, which exists only after the run has been opened. */
function useScrollToPanel(): void {
  useEffect(() => {
    if (location.hash.startsWith('#panel-'))
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
}

/** Redraws only on its own subscriptions, so that changes around it cost nothing. */
const PanelContent = memo(function PanelContent({ def, ...props }: PanelContentProps & { def: PanelDef }) {
  return <def.Content {...props} />;
});

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
