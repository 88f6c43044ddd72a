'use client';
import { Ellipsis } from 'lucide-react';
import { useId, useRef } from 'react';
import { cn } from '../ui/cn';
import { PageLink } from '../ui/page-link';
import { MORE } from './nav';

/** Pages that the bar of a phone has no room for, above it. */
export function MoreMenu({ current }: { current: string | null }) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const here = MORE.some(({ href }) => href === current);
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className={cn(
          'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-12',
          here ? 'font-medium text-ink' : 'text-ink-2',
        )}
      >
        <Ellipsis size={16} strokeWidth={1.75} aria-hidden />
        More
        {here ? <span className="sr-only">(the current page is here)</span> : null}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="fixed inset-auto right-2 bottom-[calc(3.5rem+env(safe-area-inset-bottom)+0.5rem)] m-0 w-52 rounded-[4px] border border-line-strong bg-panel p-1 text-ink shadow-md"
      >
        <ul>
          {MORE.map((item) => (
            <li key={item.href}>
              <PageLink
                href={item.href}
                aria-current={current === item.href ? 'page' : undefined}
                onClick={() => menu.current?.hidePopover()}
                className={cn(
                  'flex min-h-11 items-center gap-3 rounded-[3px] px-3',
                  current === item.href ? 'bg-hover font-medium' : 'text-ink-2 hover:bg-hover hover:text-ink',
                )}
              >
                <item.icon size={16} strokeWidth={1.75} aria-hidden />
                {item.label}
              </PageLink>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
