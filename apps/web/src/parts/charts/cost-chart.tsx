'use client';
import { cpuPerGBTotal, type CpuPerGB, type Transport } from '@verbslab/protocol';
import { axisTicks, COST_KEYS, tickText } from '@verbslab/charts/data';
import type { ReactNode } from 'react';
import { sig3 } from '../../format/number';
import { nicText } from './nic-text';
import { useTransportLook } from './transport-names';
import { COST_COLOR } from './colors';
import { Swatch } from './swatch';

export interface CostBar {
  transport: Transport;
  cost: CpuPerGB;
  /** Run of the bar, if the chart has bars of several runs. */
  run?: { id: string; mark: ReactNode; name: string };
}

/** Position of a tick label: centered below its place on the bars, but inside at both ends. */
const tickPlace = (share: number) => ({ left: `${share * 100}%`, translate: `${-share * 100}%` });

/** CPU seconds per GB, one stacked bar per transport, drawn as plain boxes. */
export function CostChart({ bars }: { bars: readonly CostBar[] }) {
  const lookOf = useTransportLook();
  const total = (b: CostBar) => cpuPerGBTotal(b.cost);
  const ticks = axisTicks(bars.map(total));
  const max = ticks.at(-1)!;
  return (
    <div className="flex h-full flex-col gap-2 px-3 pb-2">
      {bars.map((b) => (
        <div key={`${b.run?.id} ${b.transport}`} data-transport={b.transport} data-run={b.run?.id}>
          <div className="mb-0.5 flex items-baseline justify-between text-13">
            <span
              className="flex items-baseline gap-2 font-semibold"
              style={{ color: lookOf(b.transport).ink }}
            >
              {b.run?.mark}
              {b.run?.name ?? lookOf(b.transport).name}
            </span>
            <span className="num" data-shows="cpu-sum">
              {sig3(total(b))} <span className="unit">s/GB</span>
            </span>
          </div>
          <div className="flex h-4 gap-px bg-sunken" aria-hidden>
            {COST_KEYS.map((k) => {
              const share = ((b.cost[k] ?? 0) / max) * 100;
              return share > 0 ? (
                <div
                  key={k}
                  style={{ width: `${share}%`, background: COST_COLOR[k].fill }}
                  title={`${COST_COLOR[k].name} ${sig3(b.cost[k])} s/GB`}
                />
              ) : null;
            })}
          </div>
          <div className="num mt-0.5 flex flex-wrap gap-x-4 text-12 text-ink-2">
            {COST_KEYS.filter((k) => b.cost[k] !== undefined).map((k) => (
              <Swatch key={k} fill={COST_COLOR[k].fill}>
                <span data-shows={`cpu-${k}`}>
                  {COST_COLOR[k].name}{' '}
                  {b.cost[k] === null
                    ? 'not reported'
                    : k === 'nic'
                      ? nicText(b.transport, b.cost[k])
                      : sig3(b.cost[k])}
                </span>
              </Swatch>
            ))}
          </div>
        </div>
      ))}
      <div className="num relative mt-auto h-5 shrink-0 border-t pt-0.5 text-12 text-ink-3" aria-hidden>
        {ticks.map((t) => (
          <span key={t} className="absolute" style={tickPlace(t / max)}>
            {tickText(t)}
          </span>
        ))}
      </div>
    </div>
  );
}
