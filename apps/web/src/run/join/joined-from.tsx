'use client';
import { plural } from '@verbslab/labs';
import type { RunRecord } from '@verbslab/protocol';
import { runHref } from '../../addresses';
import { PageLink } from '../../ui/page-link';

const LINK = 'inline-flex min-h-8 items-center text-accent underline pointer-coarse:min-h-11';

const RunName = ({ run: { id, number } }: { run: { id: string; number: number } }) => (
  <PageLink href={runHref(id)} className={LINK}>
    run {number}
  </PageLink>
);

/** Runs that this one was joined from, or the run that it is a part of. */
export function JoinedFrom({ record: { parts, partOf } }: { record: RunRecord }) {
  if (partOf)
    return (
      <p className="mt-1 text-13 text-ink-2" data-shows="part-of">
        Part of <RunName run={partOf} />.
      </p>
    );
  if (!parts) return null;
  return (
    <p className="mt-1 text-13 text-ink-2" data-shows="joined-from">
      Joined from {plural(parts.length, 'run')}:{' '}
      {parts.map((part, index) => (
        <span key={part.id}>
          {index > 0 ? ', ' : ''}
          <RunName run={part} />
        </span>
      ))}
      .
    </p>
  );
}
