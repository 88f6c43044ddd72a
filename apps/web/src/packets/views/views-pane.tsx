'use client';
import { X } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useId, useMemo, useState } from 'react';
import { CaptureTimeline } from '../../parts/timeline/capture/capture-timeline';
import { usePageHandle } from '../../actions/page-store';
import { Button, IconButton } from '../../ui/button';
import { TabList } from '../../ui/tab-list';
import { TableSwitch } from '../../ui/table-switch';
import type { Opened } from '../opened';
import { IoGraph } from './io-graph';
import { nearestRequester, requesterLabels } from './requesters';

export type ViewTab = 'io' | 'psn';

const TABS: readonly [ViewTab, string][] = [
  ['io', 'I/O graph'],
  ['psn', 'Sequence numbers'],
];

/** View above the list, from the address; null while it is put away. `few`: true where there is little room. */
export function useViewTab(few: boolean): { tab: ViewTab | null; setTab: (tab: ViewTab | null) => void } {
  const asked = useSearchParams().get('graph');
  const router = useRouter();
  const setTab = useCallback(
    (to: ViewTab | null) => {
      const next = new URLSearchParams(location.search);
      next.set('graph', to ?? 'none');
      router.replace(`/packets?${next}`, { scroll: false });
    },
    [router],
  );
  const usual = few ? null : 'io';
  const tab = asked === 'none' ? null : (TABS.find(([one]) => one === asked)?.[0] ?? usual);
  return { tab, setTab };
}

/** Button for the views while they are put away. */
export const ShowViews = ({ onShow }: { onShow: () => void }) => (
  <Button size="small" onClick={onShow}>
    Show graphs
  </Button>
);

export interface ViewsPaneProps {
  opened: Opened;
  tab: ViewTab;
  onTab: (tab: ViewTab | null) => void;
  only: readonly number[] | null;
  arrivals: boolean;
  selected: number | null;
  onSelect: (index: number | null) => void;
  onRange: (fromNs: number, toNs: number) => void;
}

/** The capture over time: packets per second, and the sequence numbers of a QP. */
export function ViewsPane(props: ViewsPaneProps) {
  const { opened, tab, onTab, only, arrivals, selected, onSelect, onRange } = props;
  const { streams, capture, rows } = opened;
  const id = useId();
  const [table, setTable] = useState(false);
  const [picked, setPicked] = useState<number | null>(null);
  const toggle = useCallback(() => setTable((shown) => !shown), []);
  usePageHandle(useMemo(() => (tab === 'io' ? { 'toggle-tables': toggle } : {}), [tab, toggle]));
  const timed = useMemo(
    () => ({ streams, columns: capture.columns, durationNs: capture.diagnosis.durationNs }),
    [streams, capture],
  );
  const labels = useMemo(() => requesterLabels(streams, rows), [streams, rows]);
  const requester = picked ?? nearestRequester(streams, selected);
  return (
    <section aria-label="Graphs" className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-end gap-2 border-b pr-1 [&_[role=tablist]]:border-b-0">
        <TabList
          id={id}
          label="Graphs of the capture"
          titles={TABS.map(([, title]) => title)}
          at={TABS.findIndex(([one]) => one === tab)}
          onChange={(at) => onTab(TABS[at]![0])}
        />
        <div className="ml-auto flex items-center gap-1 self-center">
          {tab === 'io' ? (
            <TableSwitch of="I/O graph" shown={table} onToggle={toggle} />
          ) : labels.length > 1 ? (
            <label className="flex items-center gap-1.5 text-12 text-ink-2">
              QP
              <select
                value={requester}
                onChange={(e) => setPicked(Number(e.target.value))}
                className="num min-h-7 rounded-[4px] border bg-panel px-1 text-12 pointer-coarse:min-h-11"
              >
                {labels.map((label, i) => (
                  <option key={label} value={i}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          ) : null}
          <IconButton label="Put the graphs away" onClick={() => onTab(null)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      </div>
      <div
        id={`${id}panel`}
        role="tabpanel"
        aria-labelledby={`${id}tab${TABS.findIndex(([one]) => one === tab)}`}
        className="flex min-h-0 flex-1 flex-col"
      >
        {tab === 'io' ? (
          <IoGraph
            {...{ rows, only, arrivals, selected, onRange, table }}
            durationNs={capture.diagnosis.durationNs}
            onSelect={onSelect}
          />
        ) : (
          <div className="thin-scroll min-h-0 flex-1 overflow-auto [--timeline-top:0px]">
            <CaptureTimeline
              key={`${opened.name} ${requester}`}
              {...{ timed, requester, rows, selected, onSelect }}
            />
          </div>
        )}
      </div>
    </section>
  );
}
