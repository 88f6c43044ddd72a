'use client';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { AreaTable } from './area-table';
import { TimeCanvas } from './canvas';
import { paintRuler } from './draw/over';
import type { Chosen, Item } from './draw/pen';
import { GroupPart, listed } from './group';
import type { Stream } from './model/stream';
import type { LineTrack, Timeline, Track } from './model/track';
import { Overview } from './overview';
import { useTimeline, useTimelineStore } from './timeline-store';
import { Tools } from './tools';
import { LABEL_COLUMN, TrackRow } from './track-row';
import { useViewInAddress } from './use-address';
import { useKeys } from './use-keys';
import { useWheel } from './use-wheel';

const HELP =
  'Timeline. W and S zoom, A and D move, arrow keys go through tracks and what is in them, F zooms to the selection, T shows the figures as a table.';

export interface TimelineFrameProps {
  timeline: Timeline;
  /** Name of the whole axis, such as `run`, and label of the axis. */
  words: { whole: string; axis: string };
  /** Times of all events, for the overview if nothing is measured over time. */
  events: readonly Stream[];
  /** True if all data has arrived. */
  complete: boolean;
  chosen: Chosen;
  selected: boolean;
  onSelect: (item: Item | null) => void;
  fitSelection: () => void;
  /** Name of a packet, on its arrow. */
  nameOf: (packet: number) => string;
  /** Text for an item under the pointer. */
  describe: (item: Item) => string;
  /** Details of the selection, below the tracks. */
  inspector: ReactNode;
  /** True where there is little room: without the overview of the whole axis. */
  brief?: boolean;
}

/** Tracks on a common time axis, with the tools to move the view and select, and the figures of a marked stretch. */
export function TimelineFrame(props: TimelineFrameProps) {
  const { timeline, words, events, complete, chosen, selected, onSelect, fitSelection } = props;
  const { nameOf, describe, inspector, brief = false } = props;
  const store = useTimelineStore();
  const root = useRef<HTMLDivElement>(null);
  const [table, setTable] = useState(false);
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const area = useTimeline((s) => s.area);
  const pinned = useTimeline((s) => s.pinned);
  const turned = useTimeline((s) => s.turned);
  useWheel(root);
  useViewInAddress(root, complete, fitSelection);

  const { tracks, groups } = timeline;
  const { onKeyDown, place, setPlace } = useKeys(root, {
    tracks: groups.flatMap(({ id, folded }) =>
      turned.has(id) === folded ? listed(tracks, id, whole.has(id)) : [],
    ),
    onSelect,
    fitSelection,
    toggleTable: () => setTable(!table),
    clear: () => {
      if (area) store.setState({ area: null });
      else if (selected) onSelect(null);
      else return false;
      return true;
    },
  });
  const rates = useMemo(
    () => tracks.filter((t): t is LineTrack => t.kind === 'lines' && t.form === 'stack'),
    [tracks],
  );

  const row = (track: Track) => (
    <TrackRow
      key={track.id}
      track={track}
      chosen={chosen}
      nameOf={nameOf}
      describe={describe}
      onSelect={(item) => {
        setPlace({ track: track.id, item });
        onSelect(item);
      }}
      current={place?.track === track.id}
    />
  );
  const pins = tracks.filter(({ id }) => pinned.has(id));
  return (
    // Keys move the view and go from item to item.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={root}
      role="application"
      aria-label={HELP}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="min-w-0 scroll-mt-16 -outline-offset-2"
      data-timeline
    >
      <Tools
        table={table}
        whole={words.whole}
        onTable={() => setTable(!table)}
        onFit={selected || area ? fitSelection : null}
      />
      {brief ? null : (
        <div className={`grid grid-cols-[minmax(0,1fr)] border-t ${LABEL_COLUMN}`}>
          <p className="px-3 py-1 text-12 text-ink-3 sm:border-r">Whole {words.whole}</p>
          <Overview rates={rates} events={events} />
        </div>
      )}
      <div className="sticky top-(--timeline-top,3rem) z-[4] bg-panel">
        <Cuts />
        <div className={`grid grid-cols-[minmax(0,1fr)] border-b ${brief ? 'border-t' : ''} ${LABEL_COLUMN}`}>
          <p className="px-3 py-1 text-12 text-ink-3 max-sm:hidden sm:border-r">{words.axis}</p>
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
      {inspector}
      {table || area ? (
        <div className="border-t">
          <AreaTable timeline={timeline} />
        </div>
      ) : null}
    </div>
  );
}

/** Says that the axis leaves out pauses. */
function Cuts() {
  const axis = useTimeline((s) => s.axis);
  if (axis.cuts.length === 0) return null;
  return (
    <p className="border-t px-3 py-1 text-12 text-ink-3" data-cuts={axis.cuts.length} data-words>
      Pauses in which nothing was recorded are cut at the broken lines. Times are as recorded.
    </p>
  );
}
