'use client';
import { cn } from '../ui/cn';
import { PageLink } from '../ui/page-link';
import { isCurrent, NAV } from './nav';
import { Mark } from './mark';
import { usePlace } from './use-place';

/** Left rail: 208 px, 56 px on narrow windows, a bar at the bottom on a phone. */
export function Rail() {
  const path = usePlace();
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 flex print:hidden border-t bg-page sm:inset-y-0 sm:right-auto sm:w-14 sm:flex-col sm:border-t-0 sm:border-r lg:w-52"
    >
      <PageLink
        href="/"
        aria-label="Verbs Lab"
        className="hidden h-12 items-center justify-center gap-2.5 sm:flex lg:justify-start lg:px-4"
      >
        <Mark />
        <span className="hidden font-semibold lg:inline">Verbs Lab</span>
      </PageLink>
      <ul className="contents sm:mt-2 sm:flex sm:flex-col sm:gap-0.5 sm:px-2">
        {NAV.map((item) => {
          const current = path !== null && isCurrent(item, path);
          return (
            <li key={item.href} className={cn('flex flex-1 sm:flex-none', item.wide && 'max-sm:hidden')}>
              <PageLink
                href={item.href}
                aria-label={item.label}
                aria-current={current ? 'page' : undefined}
                className={cn(
                  'flex flex-1 flex-col items-center justify-center gap-0.5 text-12 max-sm:min-h-14 sm:h-9 sm:flex-row sm:gap-2.5 sm:rounded-[4px] sm:text-14 lg:justify-start lg:px-2.5 pointer-coarse:sm:h-11',
                  current ? 'font-medium text-ink sm:bg-hover' : 'text-ink-2 hover:bg-hover hover:text-ink',
                )}
              >
                <item.icon size={16} strokeWidth={1.75} aria-hidden />
                <span className="sm:hidden lg:inline">{item.label}</span>
              </PageLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
