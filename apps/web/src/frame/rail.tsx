'use client';
import { cn } from '../ui/cn';
import { PageLink } from '../ui/page-link';
import { BAR, currentHref, NAV_GROUPS, type NavItem } from './nav';
import { Mark } from './mark';
import { MoreMenu } from './more-menu';
import { usePlace } from './use-place';

/** Left rail: 208 px, 56 px on narrow windows, a bar at the bottom on a phone. */
export function Rail() {
  const current = currentHref(usePlace());
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 border-t bg-page max-sm:pb-[env(safe-area-inset-bottom)] sm:inset-y-0 sm:right-auto sm:w-14 sm:border-t-0 sm:border-r lg:w-52 print:hidden"
    >
      <ul className="flex sm:hidden">
        {BAR.map((item) => (
          <li key={item.href} className="flex min-w-0 flex-1">
            <PageLink
              href={item.href}
              aria-current={current === item.href ? 'page' : undefined}
              className={cn(
                'flex min-h-14 flex-1 flex-col items-center justify-center gap-0.5 text-12',
                current === item.href ? 'font-medium text-ink' : 'text-ink-2',
              )}
            >
              <item.icon size={16} strokeWidth={1.75} aria-hidden />
              {item.label}
            </PageLink>
          </li>
        ))}
        <li className="flex min-w-0 flex-1">
          <MoreMenu current={current} />
        </li>
      </ul>
      <div className="thin-scroll h-full flex-col overflow-y-auto max-sm:hidden sm:flex">
        <PageLink
          href="/"
          aria-label="Verbs Lab"
          className="flex h-12 shrink-0 items-center justify-center gap-2.5 lg:justify-start lg:px-4"
        >
          <Mark />
          <span className="hidden font-semibold lg:inline">Verbs Lab</span>
        </PageLink>
        {NAV_GROUPS.map((group) => (
          <ul
            key={group[0]!.href}
            className="mt-2 flex flex-col gap-0.5 px-2 not-first-of-type:border-t not-first-of-type:pt-2"
          >
            {group.map((item) => (
              <li key={item.href}>
                <RailLink item={item} current={current === item.href} />
              </li>
            ))}
          </ul>
        ))}
      </div>
    </nav>
  );
}

function RailLink({ item, current }: { item: NavItem; current: boolean }) {
  return (
    <PageLink
      href={item.href}
      aria-label={item.label}
      title={item.label}
      aria-current={current ? 'page' : undefined}
      className={cn(
        'flex h-9 items-center justify-center gap-2.5 rounded-[4px] lg:justify-start lg:px-2.5 pointer-coarse:h-11',
        current ? 'bg-hover font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      <item.icon size={16} strokeWidth={1.75} aria-hidden />
      <span className="hidden lg:inline">{item.label}</span>
    </PageLink>
  );
}
