'use client';
import type { ReactNode } from 'react';
import { useAbsent } from '../connection/absent';
import type { CheckCounts } from '../model/progress';
import { TakeTour } from '../tour/take-tour';
import { HostsAndLinks } from './hosts-and-links';
import { NextThings } from './next-things';

/** `doors`: drawn when the pages are built, so that home carries no descriptions of labs; `checks` neither. */
export function Home(props: { doors: ReactNode; checks: CheckCounts; recent: ReactNode }) {
  const { doors, checks, recent } = props;
  const absent = useAbsent();
  return (
    <div className="max-w-[80rem]">
      <h1 className="text-28 font-semibold">Verbs Lab</h1>
      <p className="mt-2 max-w-[72ch] text-16 text-ink-2">
        RDMA (remote direct memory access) lets a program read and write another machine’s memory directly.
        Learn, measure and debug it on this computer, with or without an RDMA card. <TakeTour />
      </p>
      <div className="mt-8">{doors}</div>
      <div className="mt-10 grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <HostsAndLinks />
        {absent ? null : <NextThings checks={checks} />}
      </div>
      {absent ? null : (
        <section aria-labelledby="recent" className="mt-10">
          <h2 id="recent" className="mb-2 text-16 font-semibold">
            Recent runs
          </h2>
          {recent}
        </section>
      )}
    </div>
  );
}
