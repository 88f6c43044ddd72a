'use client';
import { COST_AXIS_HEIGHT, CostChart } from '@verbslab/charts';
import { COST_KEYS } from '@verbslab/charts/data';
import { cpuPerGBTotal, type CpuPerGB, type Transport } from '@verbslab/protocol';
import { useRef, type ReactNode } from 'react';
import { sig3 } from '../../format/number';
import { useWidth } from '../../ui/use-width';
import { nicText } from './nic-text';
import { useTransportLook } from './transport-names';
import { COST_COLOR } from './colors';
import { ChartFrame } from './frame';
import { Swatch } from './swatch';

export interface CostBar {
  transport: Transport;
  cost: CpuPerGB;
  /** Run of the bar, if the chart has bars of several runs. */
  run?: { id: string; mark: ReactNode; name: string };
}

/** Width in rem below which three parts of a bar, or four, may need two lines. */
const WIDE = { three: 27, four: 45 };
/** Pixels from one bar to the next: its name above it, its parts in one or two lines below it. */
const ROW = { wide: 64, narrow: 92 };

/** CPU seconds per GB: a stacked bar per transport between its name and its figures. */
export function CostBars({ bars }: { bars: readonly CostBar[] }) {
  const lookOf = useTransportLook();
  const place = useRef<HTMLDivElement>(null);
  const outside = bars.some(({ cost }) => cost.outside !== undefined);
  const rowHeight = (useWidth(place) ?? 0) >= WIDE[outside ? 'four' : 'three'] ? ROW.wide : ROW.narrow;
  const nameOf = ({ run, transport }: CostBar) => run?.name ?? lookOf(transport).name;
  const rows = bars.map(({ run, transport, cost }) => ({ key: `${run?.id} ${transport}`, cost }));
  return (
    <div className="px-3 pb-2">
      <div ref={place} className="relative" style={{ height: bars.length * rowHeight + COST_AXIS_HEIGHT }}>
        <ChartFrame>
          {(size) => <CostChart rows={rows} width={size.width} rowHeight={rowHeight} />}
        </ChartFrame>
        <div className="absolute inset-x-0 top-0">
          {bars.map((bar, i) => (
            <div
              key={rows[i]!.key}
              className="relative"
              style={{ height: rowHeight }}
              data-transport={bar.transport}
              data-run={bar.run?.id}
            >
              <div className="absolute inset-x-0 bottom-[calc(50%+10px)] flex items-baseline justify-between text-13">
                <span
                  className="flex items-baseline gap-2 font-semibold"
                  style={{ color: lookOf(bar.transport).ink }}
                >
                  {bar.run?.mark}
                  {nameOf(bar)}
                </span>
                <span className="num" data-shows="cpu-sum">
                  {sig3(cpuPerGBTotal(bar.cost))} <span className="unit">s/GB</span>
                </span>
              </div>
              <Parts {...bar} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function Parts({ transport, cost }: CostBar) {
  return (
    <div className="num absolute inset-x-0 top-[calc(50%+10px)] flex flex-wrap gap-x-4 text-12 text-ink-2">
      {COST_KEYS.filter((part) => cost[part] !== undefined).map((part) => (
        <Swatch key={part} fill={COST_COLOR[part].fill}>
          <span data-shows={`cpu-${part}`}>
            {COST_COLOR[part].name}{' '}
            {cost[part] === null
              ? 'not reported'
              : part === 'nic'
                ? nicText(transport, cost[part])
                : sig3(cost[part])}
          </span>
        </Swatch>
      ))}
    </div>
  );
}
