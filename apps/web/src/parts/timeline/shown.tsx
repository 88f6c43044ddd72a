'use client';
import type { Analysis } from '@verbslab/roce';
import { useCallback, useMemo } from 'react';
import type { RunModel } from '../../model/run-model';
import { useShowPacket } from '../run/show-packet';
import { useSelection } from '../run/use-selection';
import type { Item } from './draw/pen';
import { TimelineFrame } from './frame';
import { Inspector } from './inspector';
import { chosenOf, reachOf } from './chosen';
import { Relations } from './relations';
import { EventStream } from './model/stream';
import type { Timeline, Track } from './model/track';
import { fit, useTimeline, useTimelineStore } from './timeline-store';
import { eventText } from './tracks/calls';
import { packetText } from './tracks/packets';
import { requestLabel } from './tracks/requests';

const WORDS = { whole: 'run', axis: 'Time since the run began' };

/** Times of everything in the tracks, for the overview of runs that measure nothing over time. */
function allTimes(tracks: readonly Track[]): EventStream {
  const times: number[] = [];
  for (const track of tracks) {
    if (track.kind === 'spans') for (const row of track.rows) for (const { from } of row) times.push(from);
    const streams = track.kind === 'ladder' ? track.arrows : track.kind === 'marks' ? track.marks : [];
    for (const { stream } of streams) for (let i = 0; i < stream.length; i++) times.push(stream.time(i));
  }
  return new EventStream(Float64Array.from(times).sort(), new Uint32Array(times.length));
}

export interface ShownProps {
  model: RunModel;
  timeline: Timeline;
  /** Analysis of the packets; null before the run has ended, or without packets. */
  analysis: Analysis | null;
  /** True if all data of the run has arrived. */
  complete: boolean;
  /** Grows with the data from which the relations are built. */
  version: number;
}

/** Tracks of a run, and the selection in them. */
export function Shown({ model, timeline, analysis, complete, version }: ShownProps) {
  const store = useTimelineStore();
  const relations = useMemo(() => {
    // The data grows in place.
    void version;
    return new Relations(model, analysis);
  }, [model, analysis, version]);
  const { selection, select } = useSelection();
  const { related, chosen } = useMemo(() => {
    const found = relations.of(selection);
    return { related: found, chosen: chosenOf(selection, found) };
  }, [selection, relations]);
  const area = useTimeline((s) => s.area);
  const showPacket = useShowPacket();

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
  const events = useMemo(() => [allTimes(timeline.tracks)], [timeline]);
  return (
    <TimelineFrame
      timeline={timeline}
      words={WORDS}
      events={events}
      complete={complete}
      chosen={chosen}
      selected={selection !== null}
      onSelect={selectItem}
      fitSelection={fitSelection}
      nameOf={nameOfPacket}
      describe={describe}
      inspector={
        selection ? (
          <Inspector
            model={model}
            selection={selection}
            related={related}
            analysis={analysis}
            onSelect={select}
            onFit={fitSelection}
            onShowPacket={showPacket}
          />
        ) : null
      }
    />
  );
}
