'use client';
import type { Measurement, SweepPlan } from '@verbslab/protocol';
import { useMemo } from 'react';
import { LateCurve } from '../parts/results/late-curve';
import { Block } from '../parts/results/lab-results';
import { ResultTable } from '../parts/results/result-table';
import { useResultTables } from '../parts/results/tables-store';
import { TableSwitch } from '../ui/table-switch';
import { ChoiceChart } from './choice-chart';
import { HeatMap } from './heat-map';
import { RunsBehind, useOpenRuns } from './open-runs';
import { Rounds } from './rounds';
import { curveOf, kneesOf, pointName, runValue, tableOf, type Axis, type FigureOfSweep } from './sweep-views';

interface SweepFigureProps {
  plan: SweepPlan;
  axes: readonly Axis[];
  figure: FigureOfSweep;
  measurements: readonly Measurement[];
  /** True if the sweep has ended. */
  over: boolean;
}

/** A figure as a curve, dots or a heat map, with its table and the runs behind its points. */
export function SweepFigure({ plan, axes, figure, measurements, over }: SweepFigureProps) {
  const { shown, toggle } = useResultTables();
  const curve = useMemo(() => curveOf(plan, axes, figure), [plan, axes, figure]);
  const marks = useMemo(() => kneesOf(plan, figure), [plan, figure]);
  const table = useMemo(() => curve?.table ?? tableOf(plan, axes, figure), [curve, plan, axes, figure]);
  const { point, runs, opens, open, close } = useOpenRuns(measurements);
  const [axis] = axes;
  const runsOf = {
    label: 'Runs',
    of: (row: number) => (
      <Rounds
        inLine
        list={measurements.filter((one) => one.point === row)}
        repeat={plan.repeat}
        over={over}
      />
    ),
  };
  return (
    <Block title={figure.label} aside={<TableSwitch of={figure.label} shown={shown} onToggle={toggle} />}>
      {shown ? (
        <ResultTable table={table} shows="result-curve" aside={runsOf} />
      ) : curve && axis ? (
        <div className="chart h-80" data-words data-sweep-curve={figure.name}>
          <LateCurve
            curve={curve}
            marks={marks}
            onOpen={(x) => open(plan.points.findIndex((one) => one[axis.param] === x))}
          />
        </div>
      ) : axes.length === 1 && axis ? (
        <ChoiceChart plan={plan} axis={axis} figure={figure} opens={opens} onOpen={open} />
      ) : (
        <div className="space-y-4">
          {figure.curves.map((one) => (
            <HeatMap
              key={one.name}
              label={figure.curves.length > 1 ? `${one.label} ${figure.label}` : figure.label}
              unit={figure.unit}
              plan={plan}
              axes={axes}
              curve={one.curve}
              opens={opens}
              onOpen={open}
            />
          ))}
        </div>
      )}
      {shown || point === null ? null : (
        <RunsBehind
          at={pointName(plan, axes, point)}
          runs={runs}
          repeat={plan.repeat}
          figureOf={(run) => runValue(figure, run)}
          onClose={close}
        />
      )}
    </Block>
  );
}
