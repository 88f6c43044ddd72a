import type { LatencyDistance } from '@verbslab/labs';
import { ksDistance, transportName, widestDistance, type Transport } from '@verbslab/protocol';
import { latencies, readLatency } from '@verbslab/charts/data';
import type { RunModel } from '../../model/run-model';
import type { Compared, RunLine } from '../use-compared';

/** Distance between the latencies of two runs over the same transport. */
export interface LatencyPair {
  transport: Transport;
  runs: readonly [a: Compared, b: Compared];
  said: LatencyDistance;
}

interface OwnNoise {
  rounds: number;
  /** Largest distance between two rounds of a run; null with a single round. */
  widest: number | null;
}

function betweenRounds(model: RunModel, transport: Transport): OwnNoise {
  const rounds = [...model.histograms.keys()].flatMap((id) => {
    const source = model.sources.get(id);
    if (source?.role !== 'client' || source.what !== 'loop' || source.transport !== transport) return [];
    return readLatency(model, id) ?? [];
  });
  return { rounds: rounds.length, widest: widestDistance(rounds) };
}

const kept = new WeakMap<RunModel, { version: number; byTransport: Map<Transport, OwnNoise> }>();

/** Cached, because rounds have many histograms and several pairs need them. */
function ownNoise(model: RunModel, transport: Transport): OwnNoise {
  let old = kept.get(model);
  if (old?.version !== model.version.histogram)
    kept.set(model, (old = { version: model.version.histogram, byTransport: new Map() }));
  let noise = old.byTransport.get(transport);
  if (noise === undefined) old.byTransport.set(transport, (noise = betweenRounds(model, transport)));
  return noise;
}

/** Every pair of runs for each transport for which both have latencies. The baseline comes first in its pairs. */
export function latencyPairs(lines: readonly RunLine[], base: string): LatencyPair[] {
  const sorted = [...lines].sort((x, y) => Number(y.run.id === base) - Number(x.run.id === base));
  return sorted.flatMap((one, i) =>
    sorted.slice(i + 1).flatMap((other): LatencyPair[] => {
      if (one.transport !== other.transport) return [];
      const { transport } = one;
      const [a, b] = [one.run, other.run];
      const [first, second] = [a, b].map(({ view }) => latencies(view.model).get(transport));
      const ks = first && second ? ksDistance(first, second) : null;
      if (!ks) return [];
      const [own, others] = [ownNoise(a.view.model, transport), ownNoise(b.view.model, transport)];
      const noises = [own, others].flatMap(({ widest }) => widest ?? []);
      return [
        {
          transport,
          runs: [a, b],
          said: {
            ...{ a: a.index, b: b.index, ks },
            name: transportName(transport, a.view.model.linkOf(transport)),
            withinRuns: noises.length === 0 ? null : Math.max(...noises),
            rounds: [own.rounds, others.rounds],
          },
        },
      ];
    }),
  );
}
