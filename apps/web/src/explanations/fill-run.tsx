'use client';
import { isFinal, type RunRow } from '@verbslab/protocol';
import { Play } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { runHref } from '../addresses';
import { usePageHandle } from '../actions/page-store';
import { toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import { StartFailure } from '../parts/run/start-failure';
import { Button } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { Empty, FailureNote, type Failure } from '../ui/states';
import type { Explanation } from './list';

/** Runs the lab of an explanation from its page. `empty`: no run fits yet, so this is the one thing to do. */
export function FillRun(props: { explanation: Explanation; labTitle: string; empty: boolean }) {
  const { explanation, labTitle, empty } = props;
  const { lab, params } = explanation;
  const connected = useAgent((s) => s.status === 'open');
  const going = useAgent((s) => s.runs?.find((run) => run.lab === lab && !isFinal(run.state)));
  const [asked, setAsked] = useState<string | null>(null);
  const ended = useAgent((s) => s.runs?.find((run) => run.id === asked && isFinal(run.state)));
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const ready = connected && !starting && going === undefined;

  const start = useCallback(async () => {
    setStarting(true);
    setFailure(null);
    try {
      const { run } = await request('run.start', { lab, params, mode: 'all' });
      setAsked(run.id);
      // The new run is the newest: it is shown as soon as it fits.
      const query = new URLSearchParams(location.search);
      query.delete('run');
      history.replaceState(null, '', `${location.pathname}${query.size > 0 ? `?${query}` : ''}`);
    } catch (e) {
      setFailure(toFailure(e));
    }
    setStarting(false);
  }, [lab, params]);
  const handle = useMemo(() => (ready ? { 'run-lab': () => void start() } : {}), [ready, start]);
  usePageHandle(handle);

  const button = (
    <Button kind={empty ? 'primary' : 'plain'} disabled={!ready} onClick={() => void start()}>
      <Play size={14} aria-hidden />
      {empty ? 'Run it now' : 'Run again'}
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
