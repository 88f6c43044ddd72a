'use client';
import type { ReactNode } from 'react';
import { Absent, useAbsent } from '../connection/absent';
import type { CheckCounts } from '../model/progress';
import { TakeTour } from '../tour/take-tour';
import { NextThings } from './next-things';

/** `doors` and `starters`: drawn when the pages are built, so that home carries no descriptions of labs. */
export function Home(props: {
  doors: ReactNode;
  starters: ReactNode;
  map: ReactNode;
  checks: CheckCounts;
  recent: ReactNode;
}) {
  const { doors, starters, map, checks, recent } = props;
  const absent = useAbsent();
  return (
    <div className="grid max-w-[80rem] gap-6">
      <div>
        <h1 className="text-20 font-semibold">Verbs Lab</h1>
        <p className="max-w-[72ch] text-ink-2">
          RDMA (remote direct memory access) lets a program read and write another machine’s memory directly.
          Learn, measure and debug it on this computer, with or without an RDMA card. <TakeTour />
        </p>
      </div>
      {doors}
      {starters}
      {map}
      {absent ? (
        <Absent what="Your runs are shown here" />
      ) : (
        <>
          <NextThings checks={checks} />
          <section aria-labelledby="recent">
            <h2 id="recent" className="mb-2 text-14 font-semibold">
              Recent runs
            </h2>
            {recent}
          </section>
        </>
      )}
    </div>
  );
}
