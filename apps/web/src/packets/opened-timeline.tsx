'use client';
import { useMemo } from 'react';
import { CaptureTimeline } from '../parts/timeline/capture/capture-timeline';
import type { Opened } from './opened';

/** The timeline of the capture that is open. It has all packets, whatever the list is filtered by. */
export function OpenedTimeline(props: {
  opened: Opened;
  filtered: boolean;
  selected: number | null;
  onSelect: (index: number | null) => void;
  onList: () => void;
}) {
  const { opened, filtered, ...rest } = props;
  const { streams, capture, rows } = opened;
  const timed = useMemo(
    () => ({ streams, columns: capture.columns, durationNs: capture.diagnosis.durationNs }),
    [streams, capture],
  );
  return (
    <div className="thin-scroll min-h-0 flex-1 overflow-auto [--timeline-top:0px]">
      {filtered ? (
        <p className="px-3 pt-1 text-13 text-retx-ink">
          The timeline shows all packets. The filter applies to the list.
        </p>
      ) : null}
      <CaptureTimeline key={opened.name} timed={timed} rows={rows} {...rest} />
    </div>
  );
}
