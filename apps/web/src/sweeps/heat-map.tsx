'use client';
import { shownQuantity, type SweepCurve } from '@verbslab/labs';
import type { SweepPlan } from '@verbslab/protocol';
import type { CSSProperties } from 'react';
import { cn } from '../ui/cn';
import { HeatBar, heatColor } from '../ui/heat-scale';
import { OpenRuns } from './open-runs';
import { pointName, type Axis } from './sweep-views';

interface HeatMapProps {
  label: string;
  unit: string;
  plan: SweepPlan;
  axes: readonly Axis[];
  curve: SweepCurve;
  /** True if the point has a run. */
  opens: (point: number) => boolean;
  onOpen: (point: number) => void;
}

/** A figure over a grid of two parameters, the first in rows, the second in columns. */
export function HeatMap({ label, unit, plan, axes, curve, opens, onOpen }: HeatMapProps) {
  const [down, across] = axes as [Axis, Axis];
  const distinct = ({ param }: Axis) => [...new Set(plan.points.map((point) => point[param]))];
  const medians = curve.points.flatMap((stat) => stat?.value ?? []);
  const [lo, hi] = [Math.min(...medians), Math.max(...medians)];
  const share = (value: number): number => (hi === lo ? 0 : (value - lo) / (hi - lo));
  const shownValue = (value: number | undefined): string => shownQuantity(value, {}).value;
  return (
    <div className="thin-scroll overflow-x-auto" tabIndex={0} role="group" aria-label={`Heat map: ${label}`}>
      <table className="text-13">
        <caption className="mb-1 text-left text-12 text-ink-3">
          {label}
          {unit === '' ? '' : `, ${unit}`}. Median of each point. Rows: {down.title}. Columns: {across.title}.
          {medians.length === 0 ? null : (
            <span className="mt-1 flex items-center gap-1">
              <span className="num">{shownValue(lo)}</span>
              {hi === lo ? null : (
                <>
                  <HeatBar /> <span className="num">{shownValue(hi)}</span>
                </>
              )}
              {unit}
            </span>
          )}
        </caption>
        <thead>
          <tr>
            <td />
            {distinct(across).map((value) => (
              <th
                key={JSON.stringify(value)}
                scope="col"
                className="num px-3 py-1 text-right font-normal text-ink-2"
              >
                {across.text(value)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {distinct(down).map((row) => (
            <tr key={JSON.stringify(row)}>
              <th scope="row" className="num px-3 py-1 text-right font-normal text-ink-2">
                {down.text(row)}
              </th>
              {distinct(across).map((column) => {
                const at = plan.points.findIndex(
                  (point) => point[down.param] === row && point[across.param] === column,
                );
                const stat = curve.points[at] ?? null;
                const cell = stat ? ({ '--cell': heatColor(share(stat.value)) } as CSSProperties) : undefined;
                const value = shownValue(stat?.value);
                return (
                  <td
                    key={JSON.stringify(column)}
                    data-cell={stat ? '' : undefined}
                    className={cn('num h-9 min-w-16 border px-3 text-right', stat && 'on-heat')}
                    style={cell}
                  >
                    {opens(at) ? (
                      <OpenRuns at={pointName(plan, axes, at)} value={value} onOpen={() => onOpen(at)} />
                    ) : (
                      <span>{value}</span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
