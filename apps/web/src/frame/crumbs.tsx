'use client';
import { Fragment } from 'react';
import { useCrumb } from './crumb-store';
import { PageLink } from '../ui/page-link';
import { usePlace } from './use-place';

const TITLES: Record<string, string> = {
  '/': 'Home',
  '/labs': 'Labs',
  '/explanations': 'Explanations',
  '/tools': 'Tools',
  '/workbench': 'Workbench',
  '/runs': 'Runs',
  '/sweeps': 'Sweeps',
  '/packets': 'Packets',
  '/notebook': 'Notebook',
  '/hosts': 'Hosts',
  '/set-up': 'Set up two machines',
  '/tour': 'Guided WRITE',
};

/** Pages below another one, whose own titles come with their data. */
const PARTS: Record<string, string> = {
  view: 'Run',
  compare: 'Compare',
  scatter: 'Throughput and cost',
  exercises: 'Exercises',
};

/** Titles of labs by their ids. */
export type LabTitles = Readonly<Record<string, string>>;

export function Crumbs({ labTitles }: { labTitles: LabTitles }) {
  const path = usePlace();
  const own = useCrumb((s) => s.text);
  const trail: { href: string; text: string }[] = [];
  if (path === null) return <span className="font-medium">Page not found</span>;
  const parts = path.split('/').filter(Boolean);
  if (parts.length === 0) trail.push({ href: '/', text: TITLES['/']! });
  parts.forEach((part, i) => {
    const href = `/${parts.slice(0, i + 1).join('/')}`;
    const last = i === parts.length - 1;
    const known = TITLES[href] ?? (parts[i - 1] === 'labs' ? labTitles[part] : undefined);
    trail.push({ href, text: (last && own) || (known ?? PARTS[part] ?? part) });
  });
  return (
    <nav aria-label="Where you are" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-2">
        {trail.map((c, i) => (
          <Fragment key={c.href}>
            {i > 0 ? (
              <li aria-hidden className="text-ink-3">
                /
              </li>
            ) : null}
            <li className="min-w-0">
              {i === trail.length - 1 ? (
                <span aria-current="page" className="block truncate font-medium">
                  {c.text}
                </span>
              ) : (
                <PageLink href={c.href} className="block truncate text-ink-2 hover:text-ink">
                  {c.text}
                </PageLink>
              )}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}
