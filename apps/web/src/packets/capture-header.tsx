import { noun } from '@verbslab/labs';
import type { ReactNode } from 'react';
import { runHref } from '../addresses';
import { count, text, time } from '../format/number';
import { PageLink } from '../ui/page-link';
import type { Opened } from './opened';

/** Most interfaces that the header names. */
const NAMED = 2;

/** Names of the interfaces that captured, as far as the file has them. */
function deviceText({ interfaces }: Opened['capture']['head']): string | null {
  const names = [...new Set(interfaces.flatMap(({ name }) => name ?? []))];
  if (names.length === 0) return null;
  const more = names.length - NAMED;
  return names.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** What is open, in one line: its name, packets, duration, connections and device. */
export function CaptureHeader({ opened, children }: { opened: Opened; children: ReactNode }) {
  const { name, run, capture } = opened;
  const { counts, connections } = capture.diagnosis;
  const facts = [
    `${count(counts.packets)} ${noun(counts.packets, 'packet')}`,
    text(time(counts.durationNs)),
    `${count(connections.length)} ${noun(connections.length, 'connection')}`,
    deviceText(capture.head),
  ].filter((fact) => fact !== null);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <h1 className="min-w-0 truncate text-16 font-semibold max-sm:w-full">
        {run ? (
          <PageLink href={runHref(run)} className="text-accent hover:underline">
            {name}
          </PageLink>
        ) : (
          name
        )}
      </h1>
      <ul className="flex min-w-0 flex-wrap items-center gap-x-3 text-13 text-ink-2" aria-label="Capture">
        {facts.map((fact) => (
          <li key={fact} className="whitespace-nowrap">
            {fact}
          </li>
        ))}
      </ul>
      <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0">{children}</div>
    </div>
  );
}
