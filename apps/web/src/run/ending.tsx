import type { LabEnding } from '@verbslab/protocol';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { labHref } from '../addresses';
import { cn } from '../ui/cn';
import { Gloss } from '../ui/gloss';
import { PageLink } from '../ui/page-link';

/** End of a finished run: the lessons, further runs, and files to keep. */
export function Ending(props: {
  ending: LabEnding;
  /** True if it is the whole page; otherwise it is below the last step. */
  alone: boolean;
  children?: ReactNode;
}) {
  const { ending, alone, children } = props;
  return (
    <section aria-labelledby="ending" className={alone ? undefined : 'mt-8 border-t-2 border-ink pt-3'}>
      <h2 id="ending" className={cn('font-semibold', alone ? 'text-16' : 'text-20')}>
        What you have seen
      </h2>
      <ul className="prose mt-2 list-disc space-y-1 pl-4">
        {ending.seen.map((text) => (
          <li key={text}>
            <Gloss>{text}</Gloss>
          </li>
        ))}
      </ul>
      <h3 className="mt-4 text-14 font-semibold">Next</h3>
      <ul className={cn('mt-1 grid gap-x-8 gap-y-3', !alone && 'lg:grid-cols-2')}>
        {ending.next.map(({ title, text, lab, parameters }) => (
          <li key={title}>
            <PageLink
              href={labHref(lab, parameters ?? {})}
              className="inline-flex min-h-8 items-center gap-1.5 font-medium text-accent hover:underline pointer-coarse:min-h-11"
            >
              {title}
              <ArrowRight size={14} aria-hidden />
            </PageLink>
            <p className="max-w-[60ch] text-13 text-ink-2">
              <Gloss>{text}</Gloss>
            </p>
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}
