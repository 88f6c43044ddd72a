import { plural } from '@verbslab/labs';
import type { RunRow } from '@verbslab/protocol';
import { TagLink } from '../ui/tags';
import { queryHref, USUAL } from '../parts/run/list-query';

/** Tags of a run, each leading to the runs that have it, and how many notes there are. */
export function RunMarks({ run: { tags = [], noteCount } }: { run: RunRow }) {
  if (tags.length === 0 && noteCount === undefined) return '–';
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      {tags.map((tag) => (
        <TagLink key={tag} tag={tag} href={queryHref({ q: '', lab: '', state: '', tag, sort: USUAL })} />
      ))}
      {noteCount === undefined ? null : (
        <span className="text-12 whitespace-nowrap text-ink-3" data-shows="run-notes">
          {plural(noteCount, 'note')}
        </span>
      )}
    </span>
  );
}
