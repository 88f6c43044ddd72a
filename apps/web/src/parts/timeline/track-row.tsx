'use client';
import { Pin, PinOff } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { usePageHandle } from '../../actions/page-store';
import { pinLabel } from '../../actions/view';
import { count } from '../../format/number';
import { cn } from '../../ui/cn';
import { IconButton } from '../../ui/button';
import { HeatBar } from '../../ui/heat-scale';
import { TimeCanvas } from './canvas';
import { paintGrid, paintOver } from './draw/over';
import { lengthOf, type Chosen, type Item, type Pen, type View } from './draw/pen';
import { kindOf } from './kinds';
import { momentText } from '../../format/time-text';
import type { Track } from './model/track';
import { toggle, useTimeline, useTimelineStore, type TimelineState } from './timeline-store';
import { TrackSign } from './track-sign';
import { usePointer } from './use-pointer';

export const LABEL_COLUMN = 'sm:grid-cols-[13rem_minmax(0,1fr)]';

export interface TrackRowProps {
  track: Track;
  chosen: Chosen;
  /** Name of a packet, on its arrow. */
  nameOf: (packet: number) => string;
  /** Text for an item under the pointer. */
  describe: (item: Item) => string;
  onSelect: (item: Item | null) => void;
  /** True if the keys move through the items of this track. */
  current: boolean;
}

/** A track: its description at the left, and its canvas on the common axis. */
export function TrackRow({ track, chosen, nameOf, describe, onSelect, current }: TrackRowProps) {
  const surface = useRef<HTMLDivElement>(null);
  const store = useTimelineStore();
  const pinned = useTimeline((s) => s.pinned.has(track.id));
  const [tip, setTip] = useState<{ x: number; y: number; right: number | null; lines: string[] } | null>(
    null,
  );
  const { height, id, title } = track;
  const kind = kindOf(track);
  const pin = useCallback(() => toggle(store, 'pinned', id), [store, id]);
  usePageHandle(
    useMemo(
      () => ({
        pins: [{ id: `track-${id}`, kind: 'track', title: `${title} (timeline)`, pinned, toggle: pin }],
      }),
      [id, title, pinned, pin],
    ),
  );

  const draw = useCallback(
    (pen: Pen, state: TimelineState) => {
      paintGrid(pen);
      kindOf(track).draw(pen, track, nameOf);
      paintOver(pen, state);
    },
    [track, nameOf],
  );
  const hit = (x: number, y: number, view: View): Item | null =>
    kind.hit?.(track, view, height, x, y) ?? null;
  const lines = (x: number, y: number, view: View): string[] => {
    if (kind.describe) return kind.describe(track, view, height, x, y);
    const item = hit(x, y, view);
    return item ? [momentText(item.t, lengthOf(view)), describe(item)] : [];
  };
  const handlers = usePointer(
    surface,
    (x, y, view) => onSelect(hit(x, y, view)),
    (at) => {
      const found = at && lines(at.x, at.y, at.view);
      if (!at || !found || found.length === 0) return setTip(null);
      const { width } = at.view;
      setTip({ x: at.x, y: at.y, right: at.x > width / 2 ? width - at.x : null, lines: found });
    },
  );
  return (
    <div
      className={cn('grid grid-cols-[minmax(0,1fr)] border-t', LABEL_COLUMN)}
      data-track={track.id}
      data-track-kind={track.kind}
      data-current={current || undefined}
    >
      <div className={cn('flex min-w-0 items-start gap-1 py-1 pl-3 sm:border-r', current && 'bg-hover')}>
        <div className="min-w-0 flex-1" data-words>
          <p className="text-12 leading-tight">{track.title}</p>
          <Scale track={track} />
          <Legend track={track} />
          {track.kind === 'heat' ? <HeatLegend most={track.most} /> : null}
          {track.caveat ? <p className="text-12 text-retx-ink">{track.caveat}</p> : null}
        </div>
        <IconButton
          label={pinLabel({ title: track.title, pinned })}
          aria-pressed={pinned}
          size="small"
          onClick={pin}
        >
          {pinned ? <PinOff size={12} aria-hidden /> : <Pin size={12} aria-hidden />}
        </IconButton>
      </div>
      <div
        ref={surface}
        className="relative cursor-crosshair touch-pan-y overflow-clip select-none"
        data-time-surface
        {...handlers}
      >
        <TimeCanvas height={height} chosen={chosen} draw={draw} />
        {tip ? (
          <div
            role="status"
            className="pointer-events-none absolute z-10 max-w-[20rem] rounded-[3px] border border-line-strong bg-panel px-2 py-1 text-12"
            style={{
              top: Math.min(tip.y + 12, height - 8),
              ...(tip.right === null ? { left: tip.x + 8 } : { right: tip.right + 8 }),
            }}
          >
            {tip.lines.map((line, i) => (
              <div key={i} className={i === 0 ? 'num text-ink-3' : 'wrap-anywhere'}>
                {line}
              </div>
            ))}
          </div>
        ) : null}
      </div>
    </div>
  );
}

/** Range of a track's vertical axis. */
function Scale({ track }: { track: Track }) {
  const range = kindOf(track).range?.(track);
  return range && <p className="num text-12 leading-tight text-ink-3">{range}</p>;
}

/** Legend of a heat map: number of operations per interval by color. */
function HeatLegend({ most }: { most: number }) {
  if (most <= 1) return <p className="text-12 leading-tight text-ink-3">1 operation</p>;
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-12 leading-tight text-ink-3">
      <span className="num">1</span>
      <HeatBar />
      <span className="num">{count(most)}</span> operations, log
    </p>
  );
}

/** Legend of the colors and signs of a track, if it has several. */
function Legend({ track }: { track: Track }) {
  const entries = useMemo(() => kindOf(track).signs?.(track) ?? [], [track]);
  if (entries.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-2 text-12 leading-tight text-ink-3">
      {entries.map((entry) => (
        <span key={entry.name} className="inline-flex items-center gap-1">
          <TrackSign {...entry} />
          {entry.name}
        </span>
      ))}
    </p>
  );
}
