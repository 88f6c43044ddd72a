'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useSearchParams } from 'next/navigation';
import { Suspense, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { readingHref } from '../addresses';
import { useAgent } from '../connection/store';
import { useRunSession } from '../connection/use-session';
import type { LabSample } from '../model/paths/sample';
import { useInitialQuery } from '../parts/forms/use-lab-form';
import { askedHref } from '../parts/run/asked';
import { PageLink } from '../ui/page-link';
import type { LabReading } from './reading/reading-of';
import { LabView } from './view/lab-view';
import type { LabParts } from './view/parts';
import { useStarter } from './view/use-starter';

export interface LabPageProps {
  lab: LabDescription;
  reading: LabReading;
  /** What the picture shows before the first run. */
  sample: LabSample | null;
  parts: LabParts;
}

/** `/labs/…`: a lab, and the run that was started here or that the address names. */
export function LabPage(props: LabPageProps) {
  const { id } = props.lab;
  const [visit, setVisit] = useState<{ count: number; started: string | null }>({ count: 0, started: null });
  const show = useCallback(
    (run: string) => {
      setVisit(({ count }) => ({ count, started: run }));
      history.replaceState(null, '', readingHref(id, run));
      scrollTo({ top: 0 });
    },
    [id],
  );
  const arrive = useCallback(() => setVisit(({ count }) => ({ count: count + 1, started: null })), []);
  return (
    <>
      <Suspense fallback={null}>
        <Arrivals started={visit.started} onArrive={arrive} />
      </Suspense>
      <OpenLab key={visit.count} {...props} started={visit.started} show={show} />
    </>
  );
}

/** Watches for links to this page with other parameters, or without the run that it shows. */
function Arrivals({ started, onArrive }: { started: string | null; onArrive: () => void }): null {
  const query = useSearchParams().toString();
  const seen = useRef(query);
  const arrived = useEffectEvent((from: string) => {
    const [was, is] = [from, query].map((one) => new URLSearchParams(one).get('run'));
    if (is === null || (is !== was && is !== started)) onArrive();
  });
  useEffect(() => {
    if (query !== seen.current) arrived(seen.current);
    seen.current = query;
  }, [query]);
  return null;
}

function OpenLab(props: LabPageProps & { started: string | null; show: (run: string) => void }) {
  const { lab, reading, sample, parts, started, show } = props;
  const query = useInitialQuery();
  const named = useMemo(() => new URLSearchParams(query).get('run'), [query]);
  const runId = started ?? named;
  const session = useRunSession(runId);
  const found = session?.view?.model.record;
  const foreign = found !== undefined && found.lab !== lab.id;
  const record = foreign ? undefined : found;
  // A link to a run shows its parameters, and a link to the form brings others.
  const asked = record ? askedHref(record) : `?${query}`;
  const starter = useStarter(lab, asked.slice(asked.indexOf('?') + 1), show);
  const last = useAgent((s) => s.runs?.find((run) => run.lab === lab.id && run.state === 'done'));
  return (
    <LabView
      {...{ lab, reading, sample, starter, parts }}
      run={runId === null || foreign ? null : { session }}
      aside={
        runId === null && last ? (
          <PageLink
            href={readingHref(lab.id, last.id)}
            onClick={(e) => {
              if (e.metaKey || e.ctrlKey || e.shiftKey) return;
              e.preventDefault();
              show(last.id);
            }}
            className="text-13 text-accent underline underline-offset-4"
          >
            Your last run: {last.number}
          </PageLink>
        ) : null
      }
    />
  );
}
