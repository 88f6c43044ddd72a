'use client';
import { isFinal, type LabDescription } from '@verbslab/protocol';
import { useEffect, useMemo, useState } from 'react';
import type { RunSession } from '../../connection/run-sessions';
import { MAX_ANALYZED, runPackets } from '../../model/packet-rows';
import { knownConnections } from '../../model/known-connections';
import type { Topic } from '../../model/run-model';
import { useTransportName } from '../charts/transport-names';
import { useTopics } from '../../connection/use-session';
import { PageLink } from '../../ui/page-link';
import { stepAxis } from './model/step-axis';
import { timelineOf, versionOf } from './tracks/timeline-of';
import { TrackEvents } from './model/track-events';
import { Shown } from './shown';
import { createTimelineStore, grow, TimelineContext } from './timeline-store';

const TOPICS: readonly Topic[] = [
  'series',
  'histogram',
  'packets',
  'trace',
  'counters',
  'notes',
  'objects',
  'work',
  'state',
];

/** Timeline of everything that a run recorded, with a single selection. */
export default function TimelinePart({ session, lab }: { session: RunSession; lab: LabDescription | null }) {
  const view = session.view!;
  useTopics(view, TOPICS, 'table');
  const { model } = view;
  const nameOf = useTransportName();
  const over = isFinal(model.record.state);
  const complete = over && session.state === 'complete';
  // Following the connections of a run in progress again and again would block the page.
  const analysis = complete ? runPackets(model.packets).analysis(() => knownConnections(model)) : null;
  const version = versionOf(model);
  const events = useMemo(() => new TrackEvents(model, { whole: complete }), [model, complete]);
  const timeline = useMemo(() => {
    // The data grows in place.
    void version;
    return timelineOf({ model, lab, events: events.update(), analysis, nameOf });
  }, [model, version, lab, analysis, nameOf, events]);
  const axis = useMemo(() => {
    void version;
    return stepAxis(model);
  }, [model, version]);
  const [store] = useState(() => createTimelineStore(timeline.domain, axis));
  const [from, to] = timeline.domain;
  useEffect(() => grow(store, [from, to], axis), [store, from, to, axis]);
  const beyond =
    complete &&
    model.record.capture !== null &&
    (model.packets.length > MAX_ANALYZED || model.packets.beyond > 0);
  if (timeline.tracks.length === 0 && !beyond)
    return (
      <p className="px-3 py-4 text-13 text-ink-2">
        {over
          ? 'This run recorded nothing that has a time.'
          : 'Tracks appear here as soon as something is recorded.'}
      </p>
    );
  return (
    <TimelineContext value={store}>
      {timeline.tracks.length === 0 ? null : (
        <Shown model={model} timeline={timeline} analysis={analysis} complete={complete} version={version} />
      )}
      {over || model.packets.length === 0 ? null : (
        <p className="border-t px-3 py-2 text-12 text-ink-3">Packets are drawn once the run has ended.</p>
      )}
      {beyond ? (
        <p className="border-t px-3 py-2 text-13 text-ink-2" data-words>
          This run captured more packets than its page draws.{' '}
          <PageLink
            href={`/packets?run=${model.record.id}&view=timeline`}
            className="text-accent underline underline-offset-4"
          >
            Show all of them on a timeline
          </PageLink>
        </p>
      ) : null}
    </TimelineContext>
  );
}
