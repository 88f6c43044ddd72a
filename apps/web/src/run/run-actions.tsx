'use client';
import { isFinal, isProgram, isSimulation, type RunRecord } from '@verbslab/protocol';
import { GitCompareArrows, Play, Snowflake, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { usePageHandle } from '../actions/page-store';
import { useUi } from '../actions/ui-store';
import { compareHref } from '../addresses';
import { toFailure } from '../connection/failure';
import type { RunSession } from '../connection/run-sessions';
import { request, useAgent } from '../connection/store';
import { usePaused, useTopics } from '../connection/use-session';
import { CancelDialog } from '../frame/cancel-dialog';
import type { Topic } from '../model/run-model';
import { StartFailure } from '../parts/run/start-failure';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import type { Failure } from '../ui/states';
import { ExportMenu, exportHref, formatsOf } from './export-menu';

const WATCH: readonly Topic[] = ['record', 'state'];

/** What a cancellation ends. */
const whatOf = (record: RunRecord): string =>
  isProgram(record) ? 'the program' : isSimulation(record) ? 'the simulation' : 'the run';

const askFirst = (): void => useUi.getState().open('cancel');

/** Buttons and keys for a run as a whole: freeze, cancel, export, compare. `freezable`: records stream past. */
export function RunActions(props: { session: RunSession; freezable: boolean; children?: ReactNode }) {
  const { session, freezable, children } = props;
  const view = session.view!;
  useTopics(view, WATCH);
  const paused = usePaused(view);
  const router = useRouter();
  const connected = useAgent((s) => s.status === 'open');
  const [failure, setFailure] = useState<Failure | null>(null);
  const [cancelling, setCancelling] = useState(false);
  const { record } = view.model;
  const final = isFinal(record.state);
  const runId = record.id;

  const cancel = useCallback(() => {
    setCancelling(true);
    setFailure(null);
    request('run.cancel', { runId })
      .catch((e: unknown) => setFailure(toFailure(e)))
      .finally(() => setCancelling(false));
  }, [runId]);
  const formats = formatsOf(record)
    .map(({ id }) => id)
    .join(' ');
  const abilities = useMemo(
    () => ({
      ...(final
        ? {}
        : {
            'cancel-run': askFirst,
            ...(freezable ? { 'pause-view': () => view.setPaused(!view.paused) } : {}),
          }),
      ...Object.fromEntries(
        formats.split(' ').map((id) => [`export-${id}`, () => location.assign(exportHref(runId, id))]),
      ),
      'compare-runs': () => router.push(compareHref([runId])),
    }),
    [final, freezable, formats, view, runId, router],
  );
  usePageHandle(abilities);

  return (
    <div className="flex max-w-full shrink-0 flex-wrap gap-2 lg:justify-end">
      {final ? null : (
        <>
          {freezable ? (
            <Button aria-pressed={paused} onClick={() => view.setPaused(!paused)}>
              {paused ? <Play size={14} aria-hidden /> : <Snowflake size={14} aria-hidden />}
              {paused ? 'Follow the run' : 'Freeze the view'}
            </Button>
          ) : null}
          <Button kind="danger" disabled={!connected || cancelling} onClick={cancel}>
            <X size={14} aria-hidden />
            {cancelling ? 'Cancelling…' : 'Cancel'}
          </Button>
          <CancelDialog what={whatOf(record)} onCancel={cancel} />
        </>
      )}
      {children}
      <ExportMenu record={record} />
      <PageLink href={compareHref([runId])} className={buttonStyle()}>
        <GitCompareArrows size={14} aria-hidden />
        Compare with…
      </PageLink>
      {failure ? <StartFailure failure={failure} className="basis-full" /> : null}
    </div>
  );
}
