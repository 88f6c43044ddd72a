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
import { useSelection } from '../parts/run/use-selection';

const Timeline = lazyPart<{ session: RunSession; lab: LabDescription | null }>(
  async () => (await import('../parts/timeline/timeline')).default,
  PanelSkeleton,
);

/** Below what a run page shows in parts: all of it on one axis. Its code comes as it is needed. */
export function TimelineSection({ session, lab }: { session: RunSession; lab: LabDescription | null }) {
  const root = useRef<HTMLElement>(null);
  const inSight = useInSight(root);
  const near = useCameNear(root);
  const { selection } = useSelection();
  const wanted = namesTime(useSearchParams()) || selection !== null || near;
  const connected = useAgent((s) => s.status === 'open');
  const always = isFinal(session.view!.model.record.state) || !connected;
  return (
    <section ref={root} id="timeline" aria-labelledby="timeline-title" className="mt-8 scroll-mt-16">
      <h2 id="timeline-title" className="mb-2 text-16 font-semibold">
        Timeline
      </h2>
      <div className="rounded-[4px] border bg-panel">
        <PanelVisible value={inSight || always}>
          {wanted ? <Timeline session={session} lab={lab} /> : <PanelSkeleton />}
        </PanelVisible>
      </div>
    </section>
  );
}
