'use client';
import { plural } from '@verbslab/labs';
import { isFinal, type RunRow } from '@verbslab/protocol';
import { ChartScatter, GitCompareArrows, Trash2 } from 'lucide-react';
import { MOST_COMPARED } from '@verbslab/labs';
import { compareHref, scatterHref } from '../addresses';
import { ActionButton } from '../actions/action-button';
import { Button, buttonStyle } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { PageLink } from '../ui/page-link';
import { runsText } from './selection';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const numbers = (runs: readonly RunRow[]): number[] => runs.map(({ number }) => number);

/** Text about the notes and tags of these runs; null if there are none. */
function written(runs: readonly RunRow[]): string | null {
  const notes = runs.reduce((sum, { noteCount = 0 }) => sum + noteCount, 0);
  const tagged = runs.some(({ tags = [] }) => tags.length > 0);
  if (notes === 0 && !tagged) return null;
  const whose = runs.length === 1 ? 'on it' : 'on them';
  const what = [...(notes > 0 ? [plural(notes, 'note')] : []), ...(tagged ? ['the tags'] : [])].join(' and ');
  return `${capital(what)} ${whose} ${notes === 1 && !tagged ? 'is' : 'are'} deleted too.`;
}

/** Bar with actions for the selected runs. */
export function SelectionBar(props: {
  runs: readonly RunRow[];
  /** Progress of the deletion, null while nothing is being deleted. */
  deleting: { done: number; of: number } | null;
  onDelete: (runs: readonly RunRow[]) => void;
}) {
  const { runs, deleting, onDelete } = props;
  if (runs.length === 0 && !deleting) return null;
  const ended = runs.filter(({ state }) => isFinal(state));
  const going = runs.filter(({ state }) => !isFinal(state));
  return (
    <section
      aria-label="Selected runs"
      className="sticky bottom-0 z-5 mt-3 flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-t bg-page py-2 max-sm:bottom-[calc(3.5rem+env(safe-area-inset-bottom))]"
    >
      <span role="status" className="text-13 font-medium">
        {deleting
          ? `Deleting ${deleting.done + 1} of ${deleting.of}…`
          : `${plural(runs.length, 'run')} selected`}
      </span>
      {deleting ? null : (
        <>
          <CompareLinks ids={runs.map(({ id }) => id)} />
          {ended.length > 0 ? (
            <Button kind="danger" onClick={() => onDelete(ended)}>
              <Trash2 size={14} aria-hidden />
              Delete {plural(ended.length, 'run')}
            </Button>
          ) : null}
          <ActionButton action="clear-selection" kind="quiet" />
          {going.length > 0 ? (
            <span className="text-13 text-ink-2">
              {capital(runsText(numbers(going)))} {going.length === 1 ? 'is' : 'are'} in progress and cannot
              be deleted. Cancel {going.length === 1 ? 'it' : 'them'} first.
            </span>
          ) : null}
        </>
      )}
    </section>
  );
}

/** Links to comparisons of the selected runs. A single run is compared with runs that are chosen there. */
function CompareLinks({ ids }: { ids: readonly string[] }) {
  return (
    <>
      {ids.length <= MOST_COMPARED ? (
        <PageLink href={compareHref(ids)} className={buttonStyle({ kind: 'primary' })}>
          <GitCompareArrows size={14} aria-hidden />
          {ids.length === 1 ? 'Compare with…' : 'Compare'}
        </PageLink>
      ) : null}
      {ids.length > 1 ? (
        <PageLink href={scatterHref(ids)} className={buttonStyle()}>
          <ChartScatter size={14} aria-hidden />
          Scatter
        </PageLink>
      ) : null}
      {ids.length > MOST_COMPARED ? (
        <span className="text-13 text-ink-2">Up to {MOST_COMPARED} runs can be compared side by side.</span>
      ) : null}
    </>
  );
}

/** Confirmation before runs are deleted. */
export function DeleteDialog(props: {
  /** Runs to delete; null while the dialog is closed. */
  runs: readonly RunRow[] | null;
  onKeep: () => void;
  onDelete: (runs: readonly RunRow[]) => void;
}) {
  const { runs, onKeep, onDelete } = props;
  const one = runs?.length === 1;
  const what = one ? `run ${runs[0]?.number}` : plural(runs?.length ?? 0, 'run');
  return (
    <Dialog
      open={runs !== null}
      onClose={onKeep}
      label={`Delete ${what}?`}
      className="w-[min(28rem,calc(100vw-2rem))]"
    >
      <div className="p-5">
        <h2 className="text-16 font-semibold">Delete {what}?</h2>
        <p className="mt-2 text-ink-2">
          {one
            ? 'Its figures, events and capture are permanently deleted.'
            : `The figures, events and captures of ${runsText(numbers(runs ?? []))} are permanently deleted.`}
        </p>
        {runs?.some(({ parts }) => parts) ? (
          <p className="mt-2 font-medium">
            The runs that were joined into {one ? 'it' : 'them'} are deleted too.
          </p>
        ) : null}
        {written(runs ?? []) === null ? null : <p className="mt-2 font-medium">{written(runs ?? [])}</p>}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onKeep}>{one ? 'Keep it' : 'Keep them'}</Button>
          <Button kind="danger" onClick={() => runs && onDelete(runs)}>
            Delete
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
