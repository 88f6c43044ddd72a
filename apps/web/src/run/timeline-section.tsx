'use client';
import { isFinal, type LabDescription } from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import { useRef } from 'react';
import { lazyPart } from '../connection/lazy-part';
import type { RunSession } from '../connection/run-sessions';
import { useAgent } from '../connection/store';
import { PanelVisible, useCameNear, useInSight } from '../connection/panel-visible';
import { PanelSkeleton } from './panels/waiting';
import { namesTime } from '../model/selection';
import { Fold } from '../ui/fold';
import { useSelection } from '../parts/run/use-selection';

const Timeline = lazyPart<{ session: RunSession; lab: LabDescription | null }>(
  async () => (await import('../parts/timeline/timeline')).default,
  PanelSkeleton,
);

interface TimelineProps {
  session: RunSession;
  lab: LabDescription | null;
}

/** Below what a run page shows in parts: all of it on one axis. */
export function TimelineSection(props: TimelineProps) {
  return (
    <section id="timeline" aria-labelledby="timeline-title" className="mt-8 scroll-mt-16">
      <h2 id="timeline-title" className="mb-2 text-16 font-semibold">
        Timeline
      </h2>
      <TimelineFrame {...props} />
    </section>
  );
}

/** The timeline of a lab's run, closed unless the address names a time, or an event on it. */
export function TimelineFold(props: TimelineProps) {
  const query = useSearchParams();
  const named = namesTime(query) || ['wr', 'event'].some((name) => query.has(name));
  return (
    <Fold
      id="timeline"
      title="Timeline"
      summary="everything the run recorded, on one axis"
      late
      wide
      opened={named}
    >
      <TimelineFrame {...props} />
    </Fold>
  );
}

/** The code of the timeline comes as it is needed. */
function TimelineFrame({ session, lab }: TimelineProps) {
  const root = useRef<HTMLDivElement>(null);
  const inSight = useInSight(root);
  const near = useCameNear(root);
  const { selection } = useSelection();
  const wanted = namesTime(useSearchParams()) || selection !== null || near;
  const connected = useAgent((s) => s.status === 'open');
  const always = isFinal(session.view!.model.record.state) || !connected;
  return (
    <div ref={root} className="rounded-[4px] border bg-panel">
      <PanelVisible value={inSight || always}>
        {wanted ? <Timeline session={session} lab={lab} /> : <PanelSkeleton />}
      </PanelVisible>
    </div>
  );
}
