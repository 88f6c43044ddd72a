'use client';
import type { LabDescription } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import { Absent, useAbsent } from '../connection/absent';
import { useAgent } from '../connection/store';
import { DeviceList } from './device-list';
import { LabList } from '../labs/lab-list';
import { RecentRuns } from '../runs/recent-runs';
import { AgentFacts } from './agent-facts';

export function Home({ labs }: { labs: readonly LabDescription[] }) {
  const known = useAgent((s) => s.agent !== null);
  const absent = useAbsent();
  return (
    <div className="max-w-[72rem]">
      <h1 className="text-28 font-semibold">This agent</h1>
      {absent ? (
        <div className="mt-3">
          <Absent what="Host, devices and recent runs are shown here" />
        </div>
      ) : (
        <>
          <AgentFacts />
          <Section id="devices" title="Devices">
            <DeviceList ready={known} />
          </Section>
        </>
      )}
      <Section id="labs" title="What you can run">
        <LabList labs={labs} />
      </Section>
      {absent ? null : (
        <Section id="recent" title="Recent runs">
          <RecentRuns />
        </Section>
      )}
    </div>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-2 text-16 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
