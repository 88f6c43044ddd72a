'use client';
import type { Measurement, SweepPlan } from '@verbslab/protocol';
import { Rounds } from './rounds';
import type { Axis } from './sweep-views';

/** Points with their runs, and the errors of failed runs. */
export function PointList(props: {
  plan: SweepPlan;
  axes: readonly Axis[];
  measurements: readonly Measurement[];
  /** True if the sweep has ended. */
  over: boolean;
}) {
  const { plan, axes, measurements, over } = props;
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
                <Rounds
                  list={measurements.filter((one) => one.point === at)}
                  repeat={plan.repeat}
                  over={over}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
