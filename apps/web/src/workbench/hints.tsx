'use client';
import { useState } from 'react';
import { Blocks } from '../parts/text/blocks';
import type { ShownBlock } from '../parts/text/glossed';
import { Button } from '../ui/button';

/** Hints, which open one after another. */
export function Hints({ list }: { list: readonly (readonly ShownBlock[])[] }) {
  const [open, setOpen] = useState(0);
  if (list.length === 0) return null;
  return (
    <section aria-labelledby="hints">
      <h2 id="hints" className="mb-2 text-16 font-semibold">
        Hints
      </h2>
      <ol className="list-decimal space-y-2 pl-5" aria-live="polite">
        {list.slice(0, open).map((hint, i) => (
          <li key={i} data-hint={i + 1}>
            <Blocks list={hint} />
          </li>
        ))}
      </ol>
      {open < list.length ? (
        <Button className="mt-2" onClick={() => setOpen(open + 1)}>
          Show hint {open + 1} of {list.length}
        </Button>
      ) : null}
    </section>
  );
}
