'use client';
import type { ReactNode } from 'react';
import { Absent, useAbsent } from '../connection/absent';
import type { CheckCounts } from '../model/progress';
import { NextThings } from './next-things';

/** `doors` and `starters`: drawn when the pages are built, so that home carries no descriptions of labs. */
export function Home(props: {
  hero: ReactNode;
  doors: ReactNode;
  starters: ReactNode;
  map: ReactNode;
  checks: CheckCounts;
  recent: ReactNode;
}) {
  const { hero, doors, starters, map, checks, recent } = props;
  const absent = useAbsent();
  return (
    <div className="-mt-2 grid max-w-[80rem] grid-cols-[minmax(0,1fr)] gap-6">
      <div>
        <h1 className="text-20 font-semibold text-balance">
          A program writes into another machine’s memory. This is all that happens.
        </h1>
        <p className="mb-3 text-ink-2">
          Learn, measure and debug RDMA on this computer, with or without an RDMA card.
        </p>
        {hero}
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
