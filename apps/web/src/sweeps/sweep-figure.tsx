'use client';
import type { SweepPlan } from '@verbslab/protocol';
import { ChartLine, Table2 } from 'lucide-react';
import { useMemo } from 'react';
import { CurveChart } from '../results/curve-chart';
import { Block } from '../results/lab-results';
import { ResultTable } from '../results/result-table';
import { useResultTables } from '../results/tables-store';
import { IconButton } from '../ui/button';
import { HeatMap } from './heat-map';
import { curveOf, kneesOf, tableOf, type Axis, type FigureOfSweep } from './sweep-views';

/** One figure: a curve over one numeric parameter, a heat map over two, and the table behind either. */
export function SweepFigure(props: { plan: SweepPlan; axes: readonly Axis[]; figure: FigureOfSweep }) {
  const { plan, axes, figure } = props;
  const { shown, toggle } = useResultTables();
  const curve = useMemo(() => curveOf(plan, axes, figure), [plan, axes, figure]);
  const marks = useMemo(() => kneesOf(plan, figure), [plan, figure]);
  const table = useMemo(() => curve?.table ?? tableOf(plan, axes, figure), [curve, plan, axes, figure]);
  const drawn = curve !== null || axes.length === 2;
  return (
    <Block
      title={figure.label}
      aside={
        drawn ? (
          <IconButton
            label={shown ? `Show the chart: ${figure.label}` : `Show the table behind: ${figure.label}`}
            aria-pressed={shown}
            onClick={toggle}
          >
            {shown ? <ChartLine size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
          </IconButton>
        ) : null
      }
    >
      {shown || !drawn ? (
        <ResultTable table={table} shows="result-curve" />
      ) : curve ? (
        <div className="chart h-72" data-words data-sweep-curve={figure.name}>
          <CurveChart curve={curve} marks={marks} />
        </div>
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
            />
          ))}
        </div>
      )}
    </Block>
  );
}
