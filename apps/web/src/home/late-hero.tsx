'use client';
import { lazy, Suspense } from 'react';
import type { Recording } from '../model/picture/recording';

const Hero = lazy(async () => ({ default: (await import('./hero')).Hero }));

/** The hero as it was exported. Its code comes after that of the page, which has to be usable first. */
export function LateHero({ write }: { write: Recording }) {
  return (
    <Suspense fallback={null}>
      <Hero write={write} />
    </Suspense>
  );
}
