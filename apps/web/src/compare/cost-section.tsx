'use client';
import { cpuPerGBTotal, type RunRecord } from '@verbslab/protocol';
import { sig3 } from '../format/number';
import { CostBars, type CostBar } from '../parts/charts/cost-bars';
import { COST_COLOR } from '../parts/charts/colors';
import { nicText } from '../parts/charts/nic-text';
import { ChartBlock } from './chart-block';
import { nameOfLine } from './model/lines';
import { RunMark } from './run-mark';
import type { RunLine } from './use-compared';

/** CPU seconds per GB of all lines, one bar each, on one scale. */
export function CostSection({
  lines,
  recordOf,
}: {
  lines: readonly RunLine[];
  recordOf: (id: string) => RunRecord;
}) {
  const bars = lines.flatMap((line) => {
    const cost = recordOf(line.run.id).result?.transports[line.transport]?.cpuSecondsPerGB;
    return cost ? [{ line, cost }] : [];
  });
  if (bars.length === 0) return null;
  const outside = bars.some(({ cost }) => cost.outside !== undefined);
  return (
    <ChartBlock
      title="CPU seconds per GB, both ends"
      height="min-h-48"
      table={{
        shows: 'compare-cost-table',
        head: [
          'Run',
          'Transport',
          'Application',
          'NIC work',
          'Kernel',
          ...(outside ? [COST_COLOR.outside.name] : []),
          'Sum',
        ],
        rows: bars.map(({ line, cost }) => [
          line.run.letter,
          nameOfLine(line),
          sig3(cost.app),
          cost.nic === null ? 'not reported' : nicText(line.transport, cost.nic),
          sig3(cost.kernel),
          ...(outside ? [sig3(cost.outside)] : []),
          sig3(cpuPerGBTotal(cost)),
        ]),
      }}
    >
      <CostBars
        bars={bars.map(({ line, cost }): CostBar => ({
          transport: line.transport,
          cost,
          run: {
            id: line.run.id,
            mark: <RunMark letter={line.run.letter} index={line.run.index} />,
            name: nameOfLine(line),
          },
        }))}
      />
    </ChartBlock>
  );
}
