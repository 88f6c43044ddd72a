'use client';
import { isRate, KNEE_RULE, plural, repetitionsForKnee } from '@verbslab/labs';
import { isFinalSweep } from '@verbslab/protocol';
import { useMemo } from 'react';
import { usePageHandle } from '../actions/page-store';
import { infoToFailure } from '../connection/failure';
import { useAgent } from '../connection/store';
import { useOwnCrumb } from '../frame/crumb-store';
import { useResultTables } from '../parts/results/tables-store';
import { LATENCY_CLOCKS } from '../parts/run/transport-figures';
import { FailureNote } from '../ui/states';
import { PointList } from './point-list';
import { SweepFigure } from './sweep-figure';
import { SweepHeader } from './sweep-header';
import { axesOf, drawingOf, figuresOf, type FigureOfSweep } from './sweep-views';
import type { KnownSweep } from '../connection/use-sweep';

/** Meaning of a point and of its spread. */
function spreadRule(repeat: number, forKnee: number): string {
  if (repeat === 1)
    return 'Each point is one run, so its spread is not known. Differences between points may be chance.';
  const line = 'The vertical line through it goes from the lowest to the highest of them.';
  return repeat === 2
    ? `Each point is the mean of two runs. ${line} Two runs say little about the spread.`
    : `Each point is the median of its repetitions. ${line}${repeat < forKnee ? ` A knee needs ${forKnee} repetitions.` : ''}`;
}

/** True if latencies of RDMA are beside those of kernel sockets. */
const mixesClocks = (figures: readonly FigureOfSweep[]): boolean =>
  figures.some(({ unit, curves }) => {
    const sockets = curves.filter(({ name }) => name === 'tcp' || name === 'udp');
    return unit === 'µs' && sockets.length > 0 && sockets.length < curves.length;
  });

/** Page of a sweep: its progress, the curve of each figure, and the runs behind the points. */
export function OpenSweep({ sweep, measurements }: KnownSweep) {
  const { plan, number, title, error, state } = sweep;
  useOwnCrumb(`Sweep ${number}`, `Sweep ${number}: ${title}`);
  const lab = useAgent((s) => s.labs.find(({ id }) => id === plan.lab));
  const axes = useMemo(() => axesOf(plan, lab), [plan, lab]);
  const figures = useMemo(() => figuresOf(plan, measurements, lab), [plan, measurements, lab]);
  const toggleTables = useResultTables((s) => s.toggle);
  const handle = useMemo(() => ({ 'toggle-tables': toggleTables }), [toggleTables]);
  usePageHandle(handle);
  const failed = measurements.filter((one) => one.state !== 'done').length;
  const rates = figures.reduce((sum, { unit, curves }) => sum + (isRate(unit) ? curves.length : 0), 0);
  const forKnee = rates > 0 && plan.axes.length === 1 ? repetitionsForKnee(plan, rates) : 0;
  const knees = figures.some(({ curves }) => curves.some(({ curve }) => curve.knee !== null));
  return (
    <>
      <SweepHeader sweep={sweep} axes={axes} lab={lab} measurements={measurements} />
      {error ? <FailureNote failure={infoToFailure(error)} className="mt-4" /> : null}
      {failed > 0 ? (
        <p className="mt-4 text-error-ink">
          {plural(failed, 'run')} failed or {failed === 1 ? 'was' : 'were'} cancelled. The reasons are below,
          beside their points.
        </p>
      ) : null}
      {figures.length === 0 ? (
        <p className="mt-6 text-ink-2">
          {isFinalSweep(state)
            ? 'The sweep ended before it measured anything.'
            : 'The curves appear here as soon as the first run has ended.'}
        </p>
      ) : null}
      {figures.length === 0 ? null : (
        <section aria-labelledby="figures" className="mt-6">
          <h2 id="figures" className="mb-2 text-16 font-semibold">
            Figures
          </h2>
          <div className="grid gap-x-8 gap-y-8 xl:grid-cols-2">
            {figures.map((figure) => (
              <SweepFigure
                key={figure.name}
                plan={plan}
                axes={axes}
                figure={figure}
                measurements={measurements}
                over={isFinalSweep(state)}
              />
            ))}
          </div>
          {plan.repeat < 3 || drawingOf(plan, axes) === 'curve' ? (
            <p className="mt-3 max-w-[72ch] text-13 text-ink-3">{spreadRule(plan.repeat, forKnee)}</p>
          ) : null}
          {mixesClocks(figures) ? (
            <p className="mt-3 max-w-[72ch] text-13 text-ink-3">{LATENCY_CLOCKS}</p>
          ) : null}
          {knees ? <p className="mt-3 max-w-[72ch] text-13 text-ink-3">{KNEE_RULE}</p> : null}
        </section>
      )}
      <section aria-labelledby="points" className="mt-10">
        <h2 id="points" className="mb-2 text-16 font-semibold">
          Points
        </h2>
        <PointList plan={plan} axes={axes} measurements={measurements} over={isFinalSweep(state)} />
      </section>
    </>
  );
}
