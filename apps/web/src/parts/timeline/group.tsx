'use client';
import { plural } from '@verbslab/labs';
import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { errorText } from '../../format/time-text';
import type { Group, Track } from './model/track';
import { toggle, useTimeline, useTimelineStore } from './timeline-store';

/** More tracks under one heading are shown when they are asked for. */
const SHOWN = 12;

/** Tracks of a group that are listed. */
export const listed = (tracks: readonly Track[], group: string, all: boolean): readonly Track[] => {
  const own = tracks.filter((t) => t.group === group);
  return all ? own : own.slice(0, SHOWN);
};

/** A heading, which folds, and the tracks under it. */
export function GroupPart(props: {
  group: Group;
  tracks: readonly Track[];
  all: boolean;
  onAll: () => void;
  row: (track: Track) => ReactNode;
}) {
  const { group, tracks, all, onAll, row } = props;
  const { id, title, clockErrorNs } = group;
  const store = useTimelineStore();
  const folded = useTimeline((s) => s.turned.has(id)) !== group.folded;
  const own = tracks.filter((t) => t.group === id);
  const shown = listed(own, id, all);
  const rest = own.length - shown.length;
  return (
    <div>
      <button
        type="button"
        aria-expanded={!folded}
        onClick={() => toggle(store, 'turned', id)}
        className="flex min-h-8 w-full items-center gap-2 border-t bg-sunken px-3 text-left text-13 font-semibold pointer-coarse:min-h-11"
        data-group={id}
      >
        <ChevronDown size={14} aria-hidden className={cn('shrink-0', folded && '-rotate-90')} />
        {title}
        <span className="font-normal text-ink-3">
          {plural(own.length, 'track')}
          {clockErrorNs === null ? '' : `, times ${errorText(clockErrorNs)}`}
        </span>
      </button>
      {folded ? null : (
        <>
          {shown.map(row)}
          {rest > 0 ? (
            <div className="border-t px-3 py-1">
              <Button size="small" kind="quiet" onClick={onAll}>
                Show {plural(rest, 'more track')}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </div>
  );
}
