import { placeText, workbenchOf, type CallPlace, type RunRecord } from '@verbslab/protocol';
import { useMemo } from 'react';
import { excerptsOf, type Excerpt } from '../../model/source-excerpt';
import { cn } from '../../ui/cn';

export interface SitePlace {
  /** What happened there: `The request was posted by`. */
  what: string;
  place: CallPlace;
}

interface CallSiteProps {
  places: readonly SitePlace[];
  files: ReadonlyMap<string, string>;
  record: Pick<RunRecord, 'parameters'>;
  /** Color of the calls: of what waits, or of what failed. */
  failed?: boolean;
}

/** Calls in the program's source that a standstill or an error is about, with the lines around them. */
export function CallSite({ places, files, record, failed = false }: CallSiteProps) {
  const excerpts = useMemo(
    () =>
      excerptsOf(
        places.map(({ place }) => place),
        files,
      ),
    [places, files],
  );
  if (places.length === 0) return null;
  return (
    <section aria-labelledby="call-site" data-shows="call-site">
      <h2 id="call-site" className="text-14 font-semibold">
        Call site
      </h2>
      <ul className="mt-1 space-y-0.5 text-13">
        {places.map(({ what, place }) => (
          <li key={what} title={place.file ?? place.object} className="wrap-anywhere">
            <span className="text-ink-2">{what}</span> <span className="num">{placeText(place)}</span>
          </li>
        ))}
      </ul>
      {excerpts.map((excerpt) => (
        <Lines key={excerpt.file} excerpt={excerpt} failed={failed} />
      ))}
      {excerpts.length === 0 ? (
        <p className="mt-1 text-12 text-ink-3">{whyNoSource(places, record)}</p>
      ) : null}
    </section>
  );
}

function whyNoSource(places: readonly SitePlace[], record: CallSiteProps['record']): string {
  if (places.every(({ place }) => place.line === null))
    return 'The line is not known: compile the program with -g.';
  return workbenchOf(record)
    ? 'These calls are not in the file that you wrote.'
    : 'The source is not recorded: a run of exec records the places of calls, and no files.';
}

function Lines({ excerpt: { file, stretches }, failed }: { excerpt: Excerpt; failed: boolean }) {
  const lit = failed
    ? 'bg-error/15 shadow-[inset_3px_0_var(--error)]'
    : 'bg-retx/20 shadow-[inset_3px_0_var(--retx)]';
  return (
    <pre
      role="group"
      aria-label={`Lines of ${file}`}
      tabIndex={0}
      className="thin-scroll num mt-1.5 overflow-x-auto rounded-[4px] bg-sunken py-1.5 text-12 leading-5"
    >
      <code className="block w-max min-w-full">
        {stretches.map((lines, i) => (
          <span key={lines[0]!.number} className="block">
            {i > 0 ? <span className="block px-2.5 text-ink-3">…</span> : null}
            {lines.map(({ number, text, lit: isLit }) => (
              <span
                key={number}
                data-line={number}
                data-lit={isLit || undefined}
                className={cn('block px-2.5', isLit && lit)}
              >
                <span className="mr-3 inline-block w-8 text-right text-ink-3 select-none">{number}</span>
                {isLit ? <mark className="bg-transparent text-inherit">{text}</mark> : text}
                {'\n'}
              </span>
            ))}
          </span>
        ))}
      </code>
    </pre>
  );
}
