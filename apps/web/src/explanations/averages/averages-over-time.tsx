'use client';
import { formatCount, quantityText } from '@verbslab/labs';
import { useEffect, useMemo, useState } from 'react';
import { infoToFailure } from '../../connection/failure';
import type { RunSession } from '../../connection/run-sessions';
import { runSessions } from '../../connection/store';
import type { CompletionSnapshot } from '../../model/completion-snapshot';
import { useRunSession } from '../../connection/use-session';
import { Empty, FailureNote, Skeleton } from '../../ui/states';
import { ControlGroup, onStop, StopSlider } from '../controls';
import { ExplainedViews } from '../explained-views';
import { useControls } from '../use-controls';
import { compute, DEFAULTS, highestIsCut, SPECS, timedOf, windowsOf, type Timed } from './over-time';

/** Average of a run over windows of time, from short to long. `setting` is one of the lab's. */
export function AveragesOverTime({ run, setting }: { run: string; setting: string }) {
  const session = useRunSession(run);
  const complete = session?.state === 'complete' ? session : null;
  const records = useCompletions(complete);
  return (
    <section aria-labelledby="over-time" className="space-y-4 border-t pt-6">
      <h2 id="over-time" className="text-16 font-semibold">
        What a monitoring system would draw
      </h2>
      {session?.state === 'failed' && session.error ? (
        <FailureNote failure={infoToFailure(session.error.info)} />
      ) : !complete?.view || !records ? (
        <div className="space-y-4" aria-busy>
          <p className="text-13 text-ink-2">Reading the completions of the run.</p>
          <Skeleton className="h-72 w-full" />
        </div>
      ) : (
        <OfRecords records={records} sources={complete.view.model.sources} setting={setting} />
      )}
    </section>
  );
}

/** All kept completions of an ended run; null until loaded. */
function useCompletions(session: RunSession | null): CompletionSnapshot | null {
  const [found, setFound] = useState<{ of: RunSession; records: CompletionSnapshot } | null>(null);
  useEffect(() => {
    if (!session) return;
    let left = false;
    void runSessions()
      ?.stillCompletions(session)
      .then((records) => {
        if (records && !left) setFound({ of: session, records });
      });
    return () => {
      left = true;
    };
  }, [session]);
  return found && found.of === session ? found.records : null;
}

interface OfRecordsProps {
  records: CompletionSnapshot;
  sources: Parameters<typeof timedOf>[1];
  setting: string;
}

function OfRecords({ records, sources, setting }: OfRecordsProps) {
  const timed = useMemo(() => timedOf(records, sources, setting), [records, sources, setting]);
  if (timed.at.length === 0)
    return <Empty>This run recorded no time of its WRITEs. Run the lab again to see them over time.</Empty>;
  if (records.dropped > 0)
    return (
      <Empty>
        Some completions of this run were not recorded, so a spike may be missing here. Choose another run.
      </Empty>
    );
  return (
    <>
      {records.total > records.kept ? (
        <p className="prose text-13 text-ink-2" data-words>
          The page keeps the latest {formatCount(records.kept)} completions of a run. Earlier ones are left
          out here.
        </p>
      ) : null}
      <OverTime timed={timed} setting={setting} />
    </>
  );
}

const windowText = (ms: number): string => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`);

/** Ratio of the highest window to the mean above which it still shows a spike, and below which it hides them all. */
const SHOWS = 2;
const HIDES = 1.25;

function OverTime({ timed, setting }: { timed: Timed; setting: string }) {
  const [asked, change] = useControls(DEFAULTS);
  const stops = useMemo(() => windowsOf(timed), [timed]);
  const window = onStop(stops, asked.window);
  const of = useMemo(() => {
    const using = { setting, window };
    return { id: 'averages-over-time', using, specs: SPECS, found: compute(timed, using) };
  }, [timed, setting, window]);
  const cut = useMemo(() => highestIsCut(timed, window), [timed, window]);
  const { highest, all, slowest, around } = of.found.figures;
  const ratio = highest!.value! / all!.value!;
  return (
    <>
      <ControlGroup label="Length of the windows">
        <StopSlider
          label="Averaging window"
          stops={stops}
          value={window}
          text={windowText}
          onChange={(to) => change({ window: to })}
        />
      </ControlGroup>
      <div data-explains={of.id} data-using={JSON.stringify(of.using)}>
        <p className="prose" role="status">
          {ratio >= SHOWS
            ? `Averaged over ${windowText(window)}, a spike shows at least once: the highest mean is `
            : ratio < HIDES
              ? `Averaged over ${windowText(window)}, no spike shows: the highest mean is `
              : `Averaged over ${windowText(window)}, a spike shows faintly: the highest mean is `}
          <Stated name="highest" value={highest!.value} />, and the mean of all WRITEs is{' '}
          <Stated name="all" value={all!.value} />. The slowest WRITE took{' '}
          <Stated name="slowest" value={slowest!.value} />, and the mean of its window is{' '}
          <Stated name="around" value={around!.value} />.
          {cut
            ? ' The highest mean is that of the last window, which is shorter: the run ended in it.'
            : null}
        </p>
      </div>
      <ExplainedViews of={of} />
    </>
  );
}

function Stated({ name, value }: { name: string; value: number | null }) {
  return (
    <span data-result={name}>
      <span className="num" data-shows="explained-figure">
        {quantityText(value, { unit: 'µs' })}
      </span>
    </span>
  );
}
