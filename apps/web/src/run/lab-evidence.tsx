'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import type { RunSession } from '../connection/run-sessions';
import { Fold } from '../ui/fold';
import { FaultsSection } from './faults/section';
import { PanelGrid } from './panel-grid';
import { isWatched, PANELS } from './panel-list';
import { TimelineFold } from './timeline-section';

const isPanel = (id: string): boolean => id.startsWith('panel-');

/** What a run of a lab recorded, under folds: panels, the timeline, injected faults. */
export function LabEvidence({ session, lab }: { session: RunSession; lab: LabDescription }) {
  const query = useSearchParams();
  const titles = PANELS.filter((panel) => !panel.wanted && isWatched(panel, lab.watch)).map(({ title }) =>
    title.toLowerCase(),
  );
  return (
    <>
      {lab.steps ? null : (
        <Fold
          id="panels"
          title="Panels"
          summary={titles.join(', ')}
          late
          wide
          opened={['packet', 'qp'].some((name) => query.has(name))}
          holds={isPanel}
        >
          <PanelGrid session={session} lab={lab} layoutName="measure" all={PANELS} />
        </Fold>
      )}
      {/* The panel "Fabric" has what happened in each simulation over its own virtual time. */}
      {lab.simulated ? null : <TimelineFold session={session} lab={lab} />}
      <FaultsSection view={session.view!} row />
    </>
  );
}
