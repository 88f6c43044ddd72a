'use client';
import { plural } from '@verbslab/labs';
import { runHref } from '../addresses';
import { useFilterField } from '../actions/page-store';
import { Absent, useAbsent } from '../connection/absent';
import { Choice } from '../ui/choice';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { SearchBox } from '../ui/search-box';
import { Empty, FailureNote, Skeleton } from '../ui/states';
import { notebookHref, useNotebookQuery } from './notebook-query';
import { ShownNote } from './shown-note';
import { TagLink } from '../ui/tags';
import { useNotes, type ListedNote } from './use-notes';

/** Every note, newest first, with the run that it is about. */
export function NotebookPage() {
  const [query, change] = useNotebookQuery();
  const { listed, failure, older } = useNotes(query);
  const absent = useAbsent();
  const limited = query.q.trim() !== '' || query.tag !== '';
  // A tag in the address may be one that nothing has any more.
  const tags = [...new Set([...(listed?.known ?? []), ...(query.tag === '' ? [] : [query.tag])])];
  const left = listed ? listed.total - listed.notes.length : 0;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-28 font-semibold">Notebook</h1>
        <div className="flex flex-wrap gap-3">
          <SearchBox
            ref={useFilterField()}
            label="Search notes"
            meaning="Words in the text or tags of a note, or in the number or name of its run. All have to match."
            value={query.q}
            onChange={(q, step) => change({ q }, step)}
          />
          <Choice
            label="Tag"
            value={query.tag}
            options={[['', 'All'], ...tags.map((tag) => [tag, tag] as const)]}
            onChange={(tag) => change({ tag })}
          />
        </div>
      </div>
      {failure ? <FailureNote failure={failure} className="mt-4" /> : null}
      <div className="mt-4">
        {listed === null ? (
          absent ? (
            <Absent what="The notes are shown here" />
          ) : failure ? null : (
            <NotesSkeleton />
          )
        ) : (
          <>
            {/* Headings of the notes come below this one. */}
            <h2 id="notes" className="sr-only">
              Notes
            </h2>
            <p role="status" className="mb-2 text-13 text-ink-3" data-words>
              {limited ? `${plural(listed.total, 'note')} found` : plural(listed.total, 'note')}
            </p>
            {listed.notes.length === 0 ? (
              <Nothing limited={limited} onAll={() => change({ q: '', tag: '' })} />
            ) : (
              <ul className="divide-y border-y" aria-labelledby="notes">
                {listed.notes.map((one) => (
                  <Item key={one.note.id} listed={one} />
                ))}
              </ul>
            )}
            {listed.more ? (
              <div className="mt-3 flex flex-wrap items-center gap-3">
                <Button onClick={older}>Older notes</Button>
                <span className="text-13 text-ink-3" data-words>
                  {plural(left, 'older note')} {left === 1 ? 'is' : 'are'} not shown.
                </span>
              </div>
            ) : null}
          </>
        )}
      </div>
    </>
  );
}

function Item({ listed: { note, run } }: { listed: ListedNote }) {
  return (
    <li className="py-4">
      <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <PageLink
          href={runHref(run.id)}
          className="inline-flex min-h-8 items-center font-medium underline decoration-line-strong underline-offset-4 hover:text-accent pointer-coarse:min-h-11"
          data-words
        >
          Run {run.number}: {run.title}
        </PageLink>
        {(run.tags ?? []).map((tag) => (
          <TagLink key={tag} tag={tag} href={notebookHref({ q: '', tag })} />
        ))}
      </p>
      <ShownNote note={note} />
    </li>
  );
}

function Nothing({ limited, onAll }: { limited: boolean; onAll: () => void }) {
  return (
    <div className="border-y">
      {limited ? (
        <Empty action={<Button onClick={onAll}>Show all notes</Button>}>No note matches.</Empty>
      ) : (
        <Empty
          action={
            <PageLink href="/runs" className={buttonStyle({ kind: 'primary' })}>
              Choose a run
            </PageLink>
          }
        >
          Every note on a run will be kept here. Open a run and press Write a note.
        </Empty>
      )}
    </div>
  );
}

function NotesSkeleton() {
  return (
    <div aria-busy className="divide-y border-y">
      {Array.from({ length: 3 }, (_, i) => (
        <div key={i} className="space-y-2 py-4">
          <Skeleton className="h-4 w-64 max-w-full" />
          <Skeleton className="h-3 w-96 max-w-full" />
        </div>
      ))}
    </div>
  );
}
