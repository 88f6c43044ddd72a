'use client';
import { ExternalLink } from 'lucide-react';
import { useId, useRef, type KeyboardEvent } from 'react';
import { CopyCommand } from '../ui/copy-command';
import { placePopover } from '../ui/place-popover';
import { manPage } from './man-page';

const WIDTH = 320;
const HEIGHT = 128;

/** The name of a verbs call. It opens the way to its manual page: the command for this machine, and the page on the web. */
export function VerbName({ call }: { call: string }) {
  const id = useId();
  const name = useRef<HTMLButtonElement>(null);
  const pop = useRef<HTMLDivElement>(null);
  const manual = manPage(call);
  if (!manual) return <span className="font-semibold text-ink">{call}</span>;

  const place = () => placePopover(name.current, pop.current, { width: WIDTH, height: HEIGHT });
  /** Esc closes what is open, and asks about the run only when nothing is. */
  const closing = (e: KeyboardEvent) => {
    if (e.key === 'Escape' && pop.current?.matches(':popover-open')) e.stopPropagation();
  };
  return (
    <>
      <button
        ref={name}
        type="button"
        popoverTarget={id}
        onKeyDown={closing}
        className="cursor-help font-semibold text-ink underline decoration-line-strong decoration-dotted underline-offset-4"
      >
        {call}
      </button>
      {/* Nothing is done by its keys but closing it, which they do by themselves. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={pop}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={`Manual page of ${call}`}
        onBeforeToggle={place}
        onKeyDown={closing}
        className="fixed m-0 max-w-[calc(100vw-1rem)] rounded-[4px] border border-line-strong bg-panel px-3 py-2 font-sans text-13 text-ink shadow-md"
        style={{ width: WIDTH }}
      >
        <p className="mb-1.5 text-ink-2">Manual page of this call</p>
        <CopyCommand command={`man ${call}`} />
        <a
          href={manual.href}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-8 items-center gap-1.5 font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {manual.page}(3) on man7.org
          <ExternalLink size={14} aria-hidden />
        </a>
      </div>
    </>
  );
}
