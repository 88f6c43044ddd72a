'use client';
import { isFinal, type RunRow } from '@verbslab/protocol';
import { Play } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { runHref } from '../addresses';
import { usePageHandle } from '../actions/page-store';
import { useAgent } from '../connection/store';
import { useRunStart } from '../connection/use-run-start';
import { StartFailure } from '../parts/run/start-failure';
import { Button } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { Empty, FailureNote } from '../ui/states';
import type { Explanation } from './list';

/**
 * Runs the lab of an explanation from its page. `first`: no run fits yet. `empty`: there is no sample either, so this is the
 * one thing to do.
 */
export function FillRun(props: {
  explanation: Explanation;
  labTitle: string;
  empty: boolean;
  first: boolean;
}) {
  const { explanation, labTitle, empty, first } = props;
  const { lab, params } = explanation;
  const going = useAgent((s) => s.runs?.find((run) => run.lab === lab && !isFinal(run.state)));
  const [asked, setAsked] = useState<string | null>(null);
  const ended = useAgent((s) => s.runs?.find((run) => run.id === asked && isFinal(run.state)));
  const show = useCallback((id: string) => {
    setAsked(id);
    // The new run is the newest: it is shown as soon as it fits.
    const query = new URLSearchParams(location.search);
    query.delete('run');
    history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}`);
  }, []);
  const { connected, starting, failure, start: ask } = useRunStart(show);
  const ready = connected && !starting && going === undefined;
  const start = useCallback(() => ask({ lab, params, mode: 'all' }), [ask, lab, params]);
  const handle = useMemo(() => (ready ? { 'run-lab': () => void start() } : {}), [ready, start]);
  usePageHandle(handle);

  const button = (
    <Button kind={first ? 'primary' : 'plain'} disabled={!ready} onClick={() => void start()}>
      <Play size={14} aria-hidden />
      {first ? 'Run it now' : 'Run again'}
    </Button>
  );
  return (
    <>
      {going ? (
        <Progress run={going} />
      ) : empty ? (
        <Empty action={button}>
          Your latest runs have no records for this page yet. A run of “{labTitle}” adds them.
        </Empty>
      ) : (
        button
      )}
      {ended && ended.state !== 'done' ? (
        <FailureNote
          failure={{
            what: `Run ${ended.number} ended as ${ended.state}.`,
            ...(ended.error ? { why: ended.error.message, cure: ended.error.cure } : {}),
          }}
          action={<PageLink href={runHref(ended.id)}>Open the run</PageLink>}
        />
      ) : null}
      {failure ? <StartFailure failure={failure} className="basis-full" /> : null}
    </>
  );
}

function Progress({ run }: { run: RunRow }) {
  return (
    <p role="status" className="text-13 text-ink-2">
      Run {run.number}: {run.progress?.text ?? 'opening the endpoints'}{' '}
      {run.progress === null ? null : (
        <span className="num">{Math.round(run.progress.fraction * 100)} %</span>
      )}
    </p>
  );
}
