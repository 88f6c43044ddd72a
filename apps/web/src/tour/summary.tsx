'use client';
import { ArrowRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';

/** The end of the guided WRITE: what the reader saw, and the lab to go on with. */
export function Summary({ right, of, onAgain }: { right: number; of: number; onAgain: () => void }) {
  const onward = useRef<HTMLAnchorElement>(null);
  useEffect(() => onward.current?.focus({ preventScroll: true }), []);
  return (
    <section aria-labelledby="seen" className="grid min-h-36 content-start gap-3">
      <h2 id="seen" className="text-16 font-semibold">
        What you saw{' '}
        <span className="text-13 font-normal text-ink-3" data-shows="tour-right">
          {right} of {of} answers right
        </span>
      </h2>
      <ul className="max-w-[72ch] list-disc pl-5">
        <li>The client’s program made two calls: one posts the request, one reads its completion.</li>
        <li>The two devices did the rest: they read memory, sent packets, and wrote memory.</li>
        <li>The server’s program did nothing. It was not asked, and it was not told.</li>
      </ul>
      <div className="flex flex-wrap gap-2">
        <PageLink ref={onward} href="/labs/minimal-flow" className={buttonStyle({ kind: 'primary' })}>
          Do it yourself: One WRITE, step by step
          <ArrowRight size={14} aria-hidden />
        </PageLink>
        <Button onClick={onAgain}>Again</Button>
      </div>
    </section>
  );
}
