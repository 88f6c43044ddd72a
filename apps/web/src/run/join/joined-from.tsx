'use client';
import { plural } from '@verbslab/labs';
import type { RunRecord } from '@verbslab/protocol';
import { partHref, runHref } from '../../addresses';
import { PageLink } from '../../ui/page-link';

const LINK = 'inline-flex min-h-8 items-center text-accent underline pointer-coarse:min-h-11';

const RunName = ({ number, href }: { number: number; href: string }) => (
  <PageLink href={href} className={LINK}>
    run {number}
  </PageLink>
);

/** Runs that this one was joined from, each by itself, or the run that it is a part of. */
export function JoinedFrom({ record: { parts, partOf } }: { record: RunRecord }) {
  if (partOf)
    return (
      <p className="mt-1 text-13 text-ink-2" data-shows="part-of">
        Part of <RunName number={partOf.number} href={runHref(partOf.id)} />.
      </p>
    );
  if (!parts) return null;
  return (
    <p className="mt-1 text-13 text-ink-2">
      <span data-shows="joined-from">
        Joined from {plural(parts.length, 'run')}:{' '}
        {parts.map(({ id, number }, index) => (
          <span key={id}>
            {index > 0 ? ', ' : ''}
            <RunName number={number} href={partHref(id)} />
          </span>
        ))}
        .
      </span>{' '}
      Each link shows one of them alone.
    </p>
  );
}
