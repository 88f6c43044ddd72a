'use client';
import type { Analysis } from '@verbslab/roce';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { RunModel } from '../run/model/run-model';
import { useShowPacket } from '../run/show-packet';
import { useSelection } from '../run/use-selection';
import { AreaTable } from './area-table';
import { TimeCanvas } from './canvas';
import { paintRuler } from './draw/over';
import type { Item } from './draw/pen';
import { GroupPart, listed } from './group';
import { Inspector } from './inspector';
import { chosenOf, reachOf } from './model/chosen';
import { Relations } from './model/relations';
import { EventStream } from './model/stream';
import type { LineTrack, Timeline, Track } from './model/track';
import { Overview } from './overview';
import { fit, useTimeline, useTimelineStore } from './timeline-store';
import { Tools } from './tools';
import { eventText } from './tracks/calls';
import { packetText } from './tracks/packets';
import { requestLabel } from './tracks/requests';
import { LABEL_COLUMN, TrackRow } from './track-row';
import { useViewInAddress } from './use-address';
import { useKeys } from './use-keys';
import { useWheel } from './use-wheel';

const HELP =
  'Timeline. W and S zoom, A and D move, arrow keys go through tracks and what is in them, F zooms to the selection, T shows the figures as a table.';

/** Times of everything that the tracks hold, for the overview of runs that measure nothing over time. */
function allTimes(tracks: readonly Track[]): EventStream {
  const times: number[] = [];
  for (const track of tracks) {
    if (track.kind === 'spans') for (const row of track.rows) for (const { from } of row) times.push(from);
    const streams = track.kind === 'ladder' ? track.arrows : track.kind === 'marks' ? track.marks : [];
    for (const { stream } of streams) for (const t of stream.t) times.push(t);
  }
  return new EventStream(Float64Array.from(times).sort(), new Uint32Array(times.length));
}

export interface ShownProps {
  model: RunModel;
  timeline: Timeline;
  /** Of the packets; null before the run has ended, or if there are none. */
  analysis: Analysis | null;
  /** All of the run has come. */
  complete: boolean;
  /** Grows with what the relations are found in. */
  version: number;
}

/** The tracks, what is selected in them, and the figures of a stretch. */
export function Shown({ model, timeline, analysis, complete, version }: ShownProps) {
  const store = useTimelineStore();
  const root = useRef<HTMLDivElement>(null);
  const relations = useMemo(() => {
    // What it reads grows in place.
    void version;
    return new Relations(model, analysis);
  }, [model, analysis, version]);
  const { selection, select } = useSelection();
  const { related, chosen } = useMemo(() => {
    const found = relations.of(selection);
    return { related: found, chosen: chosenOf(selection, found) };
  }, [selection, relations]);
  const [table, setTable] = useState(false);
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const area = useTimeline((s) => s.area);
  const pinned = useTimeline((s) => s.pinned);
  const turned = useTimeline((s) => s.turned);
  const showPacket = useShowPacket();
  useWheel(root);

  const selectItem = useCallback(
    (item: Item | null) => {
      if (item === null) {
        select(null);
        store.setState({ area: null });
      } else
        select(item.of === 'packet' ? { kind: 'packet', index: item.ref } : { kind: item.of, seq: item.ref });
    },
    [select, store],
  );
  const fitSelection = useCallback(() => {
    const reach = selection && reachOf(model, selection, related);
    if (reach) fit(store, ...reach);
    else if (area) fit(store, ...area);
  }, [selection, related, model, store, area]);
  useViewInAddress(root, complete, fitSelection);

  const { tracks, groups } = timeline;
  const { onKeyDown, place, setPlace } = useKeys(root, {
    tracks: groups.flatMap(({ id, folded }) =>
      turned.has(id) === folded ? listed(tracks, id, whole.has(id)) : [],
    ),
    onSelect: selectItem,
    fitSelection,
    toggleTable: () => setTable(!table),
    clear: () => {
      if (area) store.setState({ area: null });
      else if (selection) select(null);
      else return false;
      return true;
    },
  });

  const nameOfPacket = useCallback(
    (index: number) => (analysis ? packetText(analysis, index) : ''),
    [analysis],
  );
  const describe = (item: Item): string => {
    if (item.of === 'packet') return `Packet ${item.ref + 1}: ${nameOfPacket(item.ref)} (${item.text})`;
    if (item.of === 'event') return eventText(model, item.ref) ?? item.text;
    const wr = relations.request(item.ref);
    return wr ? `${requestLabel(wr)}, wr_id ${wr.wrId}` : item.text;
  };
  const rates = useMemo(
    () => tracks.filter((t): t is LineTrack => t.kind === 'lines' && t.form === 'stack'),
    [tracks],
  );
  const all = useMemo(() => allTimes(tracks), [tracks]);

  const row = (track: Track) => (
    <TrackRow
      key={track.id}
      track={track}
      chosen={chosen}
      nameOf={nameOfPacket}
      describe={describe}
      onSelect={(item) => {
        setPlace({ track: track.id, item });
        selectItem(item);
      }}
      current={place?.track === track.id}
    />
  );
  const pins = tracks.filter(({ id }) => pinned.has(id));
  return (
    // Keys move the view and go from one item to the next.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={root}
      role="application"
      aria-label={HELP}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="min-w-0 scroll-mt-16 -outline-offset-2"
      data-timeline
    >
      <Tools table={table} onTable={() => setTable(!table)} onFit={selection || area ? fitSelection : null} />
      <div className={`grid grid-cols-[minmax(0,1fr)] border-t ${LABEL_COLUMN}`}>
        <p className="px-3 py-1 text-12 text-ink-3 sm:border-r">Whole run</p>
        <Overview rates={rates} events={all} />
      </div>
      <div className="sticky top-12 z-[4] bg-panel">
        <div className={`grid grid-cols-[minmax(0,1fr)] border-b ${LABEL_COLUMN}`}>
          <p className="px-3 py-1 text-12 text-ink-3 max-sm:hidden sm:border-r">Time since the run began</p>
          <div data-time-surface className="overflow-clip">
            <TimeCanvas height={24} chosen={chosen} draw={paintRuler} />
          </div>
        </div>
        {pins.length > 0 ? (
          <div className="thin-scroll max-h-[40vh] overflow-y-auto border-b border-line-strong">
            {pins.map(row)}
          </div>
        ) : null}
      </div>
      {groups.map((group) => (
        <GroupPart
          key={group.id}
          group={group}
          tracks={tracks}
          all={whole.has(group.id)}
          onAll={() => setWhole(new Set([...whole, group.id]))}
          row={row}
        />
      ))}
      {selection ? (
        <Inspector
          model={model}
          selection={selection}
          related={related}
          analysis={analysis}
          onSelect={select}
          onFit={fitSelection}
          onShowPacket={showPacket}
        />
      ) : null}
      {table || area ? (
        <div className="border-t">
          <AreaTable timeline={timeline} />
        </div>
      ) : null}
    </div>
  );
}
