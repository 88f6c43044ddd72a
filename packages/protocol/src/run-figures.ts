/** Figures of a run under flat names, for comparisons of runs without knowledge of their labs. */
import { cpuPerGBTotal, type Round, type Spread } from './rounds.js';
import type { RunResult, TransportResult } from './runs.js';
import { TRANSPORTS, type Transport } from './transports.js';

/** Figures that each transport of a run has. */
const OF_TRANSPORT: Readonly<
  Record<string, { label: string; unit: string; of: (one: TransportResult) => number | null }>
> = {
  goodput: { label: 'goodput', unit: 'Gb/s', of: ({ goodputGbps }) => goodputGbps },
  messages: { label: 'messages', unit: 'msg/s', of: ({ messagesPerSecond }) => messagesPerSecond },
  cpu: {
    label: 'CPU',
    unit: 's/GB',
    of: ({ cpuSecondsPerGB: cpu }) => (cpu ? cpuPerGBTotal(cpu) : null),
  },
  p50: { label: 'p50', unit: 'µs', of: ({ latencyUs }) => latencyUs?.p50 ?? null },
  p99: { label: 'p99', unit: 'µs', of: ({ latencyUs }) => latencyUs?.p99 ?? null },
};

export const transportFigure = (transport: Transport, figure: string): string => `${transport}.${figure}`;

/** Transport, label and unit of `rdma.goodput`; null for a figure that the lab declares. */
export function transportFigureSpec(
  name: string,
): { transport: Transport; label: string; unit: string } | null {
  const [head, figure = ''] = name.split('.');
  const transport = TRANSPORTS.find((one) => one === head);
  const spec = Object.hasOwn(OF_TRANSPORT, figure) ? OF_TRANSPORT[figure] : undefined;
  return transport && spec ? { transport, label: spec.label, unit: spec.unit } : null;
}

/** Figures whose spread comes from the rounds. Null if a round does not have the figure. */
const OF_ROUND: Readonly<Record<string, (round: Round) => number | null>> = {
  messages: ({ messagesPerSecond }) => messagesPerSecond,
  p50: ({ latencyUs }) => latencyUs?.p50 ?? null,
  p99: ({ latencyUs }) => latencyUs?.p99 ?? null,
};

/** Spread of `rdma.goodput` and the like over the rounds; null if a round lacks the figure. */
export function transportSpread(
  result: TransportResult | undefined,
  name: string,
): (Spread & { n: number }) | null {
  const n = result?.rounds?.length ?? 0;
  if (!result?.spread || n < 2) return null;
  const figure = name.split('.')[1] ?? '';
  const { goodputGbps, cpuSecondsPerGB } = result.spread;
  const ofRound = Object.hasOwn(OF_ROUND, figure) ? OF_ROUND[figure] : undefined;
  if (ofRound) {
    const values = result.rounds!.flatMap((round) => ofRound(round) ?? []);
    return values.length < n ? null : { min: Math.min(...values), max: Math.max(...values), n };
  }
  const spread = figure === 'goodput' ? goodputGbps : figure === 'cpu' ? cpuSecondsPerGB : null;
  return spread && { ...spread, n };
}

/** Figures by name: `rdma.goodput` and the like for each transport, then those that the lab declares. */
export function runFigures({ transports, results }: RunResult): Record<string, number | null> {
  const figures: Record<string, number | null> = {};
  for (const transport of TRANSPORTS) {
    const one = transports[transport];
    if (!one) continue;
    for (const [name, { of }] of Object.entries(OF_TRANSPORT))
      figures[transportFigure(transport, name)] = of(one);
  }
  for (const [name, { value }] of Object.entries(results?.figures ?? {})) figures[name] = value;
  return figures;
}
