'use client';
import { arrowLabel, NONE as NO_VALUE, type PacketColumns } from '@verbslab/roce';
import { useCallback, useMemo, useState } from 'react';
import { count } from '../../../format/number';
import type { FilePackets } from '../../packets/file-packets';
import { psnText } from '../../packets/list-columns';
import { useListSettings, type ListSettings } from '../../packets/list-settings';
import { useRowsVersion } from '../../packets/use-rows-version';
import { Button } from '../../../ui/button';
import type { Chosen, Item } from '../draw/pen';
import { TimelineFrame } from '../frame';
import { momentText } from '../../../format/time-text';
import { createTimelineStore, fit, TimelineContext, useTimeline, useTimelineStore } from '../timeline-store';
import { captureTimeline, type Timed } from './capture-tracks';

const WORDS = { whole: 'capture', axis: 'Time since the first packet' };
const NONE: ReadonlySet<number> = new Set();

/** QP of connection management. Its messages are only in the bytes of the packet. */
const CM_QP = 1;

/** Name of a packet from its columns: reading its bytes from disk takes longer than a frame. */
function nameIn(columns: PacketColumns, rows: FilePackets, packet: number, how: ListSettings['psn']): string {
  const { opcode, destQp, psn, syndrome } = columns;
  if (destQp[packet] === CM_QP) {
    const row = rows.at(packet);
    return row ? arrowLabel(row) : '';
  }
  const answer = syndrome[packet] === NO_VALUE ? {} : { syndrome: syndrome[packet]! };
  const own = { psn: psn[packet]! };
  const name = arrowLabel({ kind: 'other', opcode: opcode[packet]!, ...own, ...answer });
  return name.replace(/ \d+$/, ` ${psnText(own, rows.relativePsn(packet), how)}`);
}

export interface CaptureTimelineProps {
  timed: Timed;
  /** The requester whose PSNs are shown: an index into those of the streams. Missing: all packets. */
  requester?: number;
  rows: FilePackets;
  selected: number | null;
  onSelect: (index: number | null) => void;
  /** Shows the selected packet in the list; missing where the list is beside. */
  onList?: () => void;
}

/** Ladder and PSNs of all packets in a capture. */
export function CaptureTimeline(props: CaptureTimelineProps) {
  const { timed, requester } = props;
  const timeline = useMemo(() => captureTimeline(timed, requester), [timed, requester]);
  const [store] = useState(() => createTimelineStore(timeline.domain));
  if (timeline.tracks.length === 0)
    return <p className="px-3 py-4 text-13 text-ink-2">This capture has no RoCE packets to draw.</p>;
  return (
    <TimelineContext value={store}>
      <Tracks {...props} timeline={timeline} />
    </TimelineContext>
  );
}

function Tracks(props: CaptureTimelineProps & { timeline: ReturnType<typeof captureTimeline> }) {
  const { timed, requester, rows, selected, onSelect, onList, timeline } = props;
  const store = useTimelineStore();
  const area = useTimeline((s) => s.area);
  const chosen = useMemo(
    (): Chosen => ({ wr: NONE, event: NONE, packet: selected === null ? NONE : new Set([selected]) }),
    [selected],
  );
  const select = useCallback(
    (item: Item | null) => {
      onSelect(item && item.ref);
      if (item === null) store.setState({ area: null });
    },
    [onSelect, store],
  );
  const fitSelection = useCallback(() => {
    const t = selected === null ? undefined : timed.columns.t[selected];
    if (area) fit(store, ...area);
    else if (t !== undefined) fit(store, t, t + 1000);
  }, [selected, area, timed, store]);
  const version = useRowsVersion(rows);
  const { psn: how } = useListSettings();
  const nameOf = useCallback(
    (packet: number) => {
      // Names that have arrived since are drawn.
      void version;
      return nameIn(timed.columns, rows, packet, how);
    },
    [timed, rows, version, how],
  );
  const events = useMemo(
    () =>
      timeline.tracks.flatMap((track) => (track.kind === 'ladder' ? track.arrows.map((a) => a.stream) : [])),
    [timeline],
  );
  const row = selected === null ? undefined : rows.at(selected);
  return (
    <TimelineFrame
      timeline={timeline}
      words={WORDS}
      events={events}
      complete
      chosen={chosen}
      selected={selected !== null}
      onSelect={select}
      fitSelection={fitSelection}
      nameOf={nameOf}
      describe={({ ref, text }) => `Packet ${count(ref + 1)}: ${nameOf(ref)} (${text})`}
      brief={requester !== undefined}
      inspector={
        row && selected !== null && onList ? (
          <div
            className="flex flex-wrap items-center gap-2 border-t px-3 py-1 text-13"
            data-selection="packet"
            data-records
          >
            <p className="min-w-0 flex-1" data-words>
              Packet {count(selected + 1)}: {nameOf(selected)}, {row.src} to {row.dst}, at{' '}
              {momentText(timed.columns.t[selected]!, 1e6)}
            </p>
            <Button size="small" onClick={fitSelection}>
              Zoom to it
            </Button>
            <Button size="small" onClick={onList}>
              Show its headers and bytes
            </Button>
          </div>
        ) : null
      }
    />
  );
}
