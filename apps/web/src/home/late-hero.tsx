'use client';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Recording } from '../model/picture/recording';

const Hero = lazy(async () => ({ default: (await import('./hero')).Hero }));

/** The hero as it was exported, busy until it can be used. Its code comes after that of the page, which has to be usable first. */
export function LateHero({ write }: { write: Recording }) {
  const [there, setThere] = useState(false);
  return (
    <div aria-busy={!there}>
      <Suspense fallback={null}>
        <Hero write={write} />
        <There onThere={setThere} />
      </Suspense>
    </div>
  );
}

/** Tells when the parts beside it have their code. */
function There({ onThere }: { onThere: (there: boolean) => void }) {
  useEffect(() => onThere(true), [onThere]);
  return null;
}
