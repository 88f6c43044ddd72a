'use client';
import { shownQuantity } from '@verbslab/labs';
import type { SweepPlan } from '@verbslab/protocol';
import { type AxisScale, SCALES, yScale } from '@verbslab/charts/data';
import { Fragment } from 'react';
import { seriesStyles } from '../parts/results/series-style';
import { OpenRuns } from './open-runs';
import { seriesOver, valueAxis, type Axis, type FigureOfSweep } from './sweep-views';

interface ChoiceChartProps {
  plan: SweepPlan;
  axis: Axis;
  figure: FigureOfSweep;
  /** True if the point has a run. */
  opens: (point: number) => boolean;
  onOpen: (point: number) => void;
}

/**
 * A figure over a parameter with named values: a dot at each median, and a line from the lowest to the highest
 * repetition.
 */
export function ChoiceChart({ plan, axis, figure, opens, onOpen }: ChoiceChartProps) {
  const y = valueAxis(figure);
  const series = seriesOver(plan, figure, (_, at) => at);
  const scale = yScale({ y, series });
  const across = SCALES[scale.scale](scale.domain, [0, 100]);
  const several = series.length > 1;
  const styles = seriesStyles(series);
  const unit = figure.unit === '' || figure.unit === 'B' ? '' : `, ${figure.unit}`;
  const log = scale.scale === 'log' ? ', log axis' : '';
  return (
    <table className="w-full text-13" data-choice-chart={figure.name} data-words>
      <caption className="mb-1 text-left text-12 text-ink-3">
        {`${figure.label}${unit}${log}.`}
        {plan.repeat > 1
          ? ` Median of each ${axis.title.toLowerCase()}, and the range of its repetitions.`
          : null}
      </caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{axis.title}</th>
          {several ? <th scope="col">Series</th> : null}
          <th scope="col">Chart</th>
          <th scope="col">{plan.repeat > 1 ? 'Median' : 'Value'}</th>
        </tr>
      </thead>
      <tbody>
        {plan.points.map((point, at) => (
          <Fragment key={at}>
            {series.map(({ name, label, points }, i) => {
              const stat = points[at]!;
              const value = stat.y === null ? '–' : figureText(stat.y, figure.unit);
              return (
                <tr key={name} className={i === 0 ? 'border-t' : undefined} data-choice={at}>
                  {i === 0 ? (
                    <th
                      scope="rowgroup"
                      rowSpan={series.length}
                      className="max-w-48 py-2 pr-4 text-left align-top font-normal wrap-break-word text-ink-2 max-sm:max-w-28"
                    >
                      {axis.text(point[axis.param])}
                    </th>
                  ) : null}
                  {several ? (
                    <th
                      scope="row"
                      className="pr-3 text-left font-semibold whitespace-nowrap"
                      style={{ color: styles[i]!.ink }}
                    >
                      {label}
                    </th>
                  ) : null}
                  <td className="w-full min-w-24 px-2">
                    <Strip stat={stat} line={styles[i]!.line} scale={scale} across={across} />
                  </td>
                  <td className="num text-right whitespace-nowrap">
                    {opens(at) ? (
                      <OpenRuns at={axis.text(point[axis.param])} value={value} onOpen={() => onOpen(at)} />
                    ) : (
                      value
                    )}
                  </td>
                </tr>
              );
            })}
          </Fragment>
        ))}
      </tbody>
      <tfoot aria-hidden>
        <tr className="border-t border-line-strong">
          <td colSpan={several ? 2 : 1} />
          <td className="px-2">
            <div className="num relative h-5 text-12 text-ink-3">
              {scale.ticks.map((tick, i) => (
                <span
                  key={tick}
                  className={`absolute -translate-x-1/2 ${i % 2 === 1 ? 'max-sm:hidden' : ''}`}
                  style={{ left: `${across(tick)}%` }}
                >
                  {y.show(tick)}
                </span>
              ))}
            </div>
          </td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

const figureText = (value: number, unit: string): string => {
  const shown = shownQuantity(value, { unit: unit === 'B' ? 'B' : '' });
  return shown.unit === '' ? shown.value : `${shown.value}\u00a0${shown.unit}`;
};

type Stat = ReturnType<typeof seriesOver>[number]['points'][number];

/** A median and its range on the value axis, in percent of the width. */
function Strip(props: { stat: Stat; line: string; scale: AxisScale; across: (value: number) => number }) {
  const { stat, line, scale, across } = props;
  const { y, min, max } = stat;
  return (
    <svg className="block h-8 w-full overflow-visible" aria-hidden>
      {scale.ticks.map((tick) => (
        <line
          key={tick}
          x1={`${across(tick)}%`}
          x2={`${across(tick)}%`}
          y1="0"
          y2="100%"
          stroke="var(--grid)"
        />
      ))}
      {min === undefined || max === undefined ? null : (
        <line
          data-spread
          x1={`${across(min)}%`}
          x2={`${across(max)}%`}
          y1="50%"
          y2="50%"
          stroke={line}
          strokeWidth={2}
        />
      )}
      {y === null ? null : <circle data-median cx={`${across(y)}%`} cy="50%" r={4} fill={line} />}
    </svg>
  );
}
