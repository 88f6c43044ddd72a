'use client';
import type { Measurement, SweepPlan } from '@verbslab/protocol';
import { runHref } from '../runs/figures';
import { PageLink } from '../ui/page-link';
import { Words } from '../ui/words';
import type { Axis } from './sweep-views';

/** Every point with its runs, and the reasons of those that failed. */
export function PointList(props: {
  plan: SweepPlan;
  axes: readonly Axis[];
  measurements: readonly Measurement[];
}) {
  const { plan, axes, measurements } = props;
  return (
    <div className="thin-scroll overflow-x-auto" tabIndex={0} role="group" aria-label="Points and their runs">
      <table className="text-13">
        <thead className="text-12 text-ink-3">
          <tr className="border-b">
            {axes.map(({ param, title }) => (
              <th key={param} scope="col" className="h-8 pr-6 text-left font-normal">
                {title}
              </th>
            ))}
            <th scope="col" className="h-8 text-left font-normal">
              Runs
            </th>
          </tr>
        </thead>
        <tbody className="divide-y border-b">
          {plan.points.map((point, at) => (
            <tr key={at} data-point={at}>
              {axes.map(({ param, text }) => (
                <td key={param} className="num h-9 pr-6 align-top whitespace-nowrap">
                  <span className="inline-flex min-h-8 items-center">{text(point[param])}</span>
                </td>
              ))}
              <td>
                <Rounds list={measurements.filter((one) => one.point === at)} repeat={plan.repeat} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Rounds({ list, repeat }: { list: readonly Measurement[]; repeat: number }) {
  if (list.length === 0) return <span className="text-ink-3">not yet measured</span>;
  return (
    <ul className="flex flex-wrap gap-x-4">
      {list.map(({ position, round, runId, state, error }) => {
        const name = repeat === 1 ? 'Run' : `Round ${round + 1}`;
        return (
          <li key={position} data-measured={state} className="flex min-h-8 flex-wrap items-center gap-x-2">
            {runId === null ? (
              name
            ) : (
              <PageLink
                href={runHref(runId)}
                className="inline-flex min-h-8 items-center text-accent underline pointer-coarse:min-h-11"
              >
                {name}
              </PageLink>
            )}
            {state === 'done' ? null : (
              <span className="text-error-ink">
                {state}
                {error ? (
                  <>
                    : <Words>{error.message}</Words>
                  </>
                ) : null}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
