'use client';
import { useId, useMemo, useRef, useState } from 'react';
import { lazyPart } from '../../connection/lazy-part';
import { Button } from '../../ui/button';
import { Split } from '../../ui/split';
import { TabList } from '../../ui/tab-list';
import { useWidth } from '../../ui/use-width';
import { combineFilter } from './combine-filter';
import { FilterBar } from './filter-bar';
import { FollowBar } from './follow-bar';
import { LadderView } from './ladder-view';
import { ListSwitches } from './list-switches';
import type { PacketDetailProps } from './packet-detail';
import { PacketList, type PacketListProps } from './packet-list';
import type { Filtering } from './use-filter';
import { useRowsVersion } from './use-rows-version';

// The fields of all protocols are loaded with the first chosen packet.
const PacketDetail = lazyPart<PacketDetailProps>(async () => (await import('./packet-detail')).PacketDetail);

/** Width in rem from which the chosen packet is beside the list. */
const BESIDE = 48;

export interface PacketBrowserProps extends PacketListProps {
  filtering: Filtering;
  unfiltered: number;
}

/** Filter and list, with the fields and bytes of the chosen packet in panes of their own. Used for runs and for files alike. */
export function PacketBrowser({ filtering, unfiltered, ...list }: PacketBrowserProps) {
  const { rows, only } = list;
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const beside = width === null || width >= BESIDE;
  useRowsVersion(rows);
  const listed = only?.length ?? rows.length;
  const { result, apply } = filtering;
  return (
    <div ref={place} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <FilterBar filtering={filtering} listed={listed} unfiltered={unfiltered} aside={<ListSwitches />} />
      <Split
        id={beside ? 'packet-list' : 'packet-list-above'}
        label="List and packet"
        direction={beside ? 'row' : 'column'}
        initial={beside ? 66 : 45}
      >
        {result && listed === 0 ? (
          <div className="flex flex-col items-start gap-2 px-3 py-4 text-13 text-ink-2">
            <p>{result.looked < rows.length ? 'Filtering…' : 'No packets match the filter.'}</p>
            <Button size="small" onClick={() => apply('')}>
              Show all packets
            </Button>
          </div>
        ) : (
          <PacketList {...list} />
        )}
        <Chosen {...list} filtering={filtering} />
      </Split>
    </div>
  );
}

const TABS = ['Packet', 'Ladder'];

/** The chosen packet, or the packets of its connection around it. */
function Chosen({
  rows,
  selected,
  onSelect,
  phaseAt,
  filtering,
}: PacketListProps & { filtering: Filtering }) {
  const id = useId();
  const [tab, setTab] = useState(0);
  const row = selected === null ? undefined : rows.at(selected);
  const { text, apply } = filtering;
  const follow = useMemo(() => (selected === null ? undefined : rows.follow?.(selected)), [rows, selected]);
  return (
    <>
      <div className="flex flex-wrap items-center border-b [&_[role=tablist]]:border-b-0">
        <TabList id={id} label="The packet and around it" titles={TABS} at={tab} onChange={setTab} />
        {follow ? <FollowBar follow={follow} onFilter={apply} /> : null}
      </div>
      <div
        id={`${id}panel`}
        role="tabpanel"
        aria-labelledby={`${id}tab${tab}`}
        className="flex min-h-0 flex-1 flex-col"
      >
        {tab === 1 ? (
          <LadderView rows={rows} selected={selected} onSelect={onSelect} />
        ) : row && selected !== null ? (
          <PacketDetail
            row={row}
            remarks={rows.remarks(selected)}
            phase={phaseAt?.(row.t) ?? null}
            relativePsn={rows.relativePsn(selected)}
            direction="column"
            onFilter={(filter, use) => apply(combineFilter(text, filter, use))}
          />
        ) : (
          <p className="px-3 py-2 text-13 text-ink-3">
            Choose a packet to see its headers, fields and bytes.
          </p>
        )}
      </div>
    </>
  );
}
