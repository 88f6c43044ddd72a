'use client';
import { DISTANCE_MEANING, distanceSentence, distanceText, letterOf } from '@verbslab/labs';
import { count, sig3 } from '../format/number';
import { DataTable } from '../ui/data-table';
import { Term } from '../ui/term';
import type { LatencyPair } from './model/latency-pairs';

/** Distances between the latencies of the runs: a sentence per pair with the baseline, and a table of all pairs. */
export function Distances({ pairs, base }: { pairs: readonly LatencyPair[]; base: string }) {
  if (pairs.length === 0) return null;
  const ofBase = pairs.filter(({ runs }) => runs[0].id === base);
  const told = ofBase.length > 0 ? ofBase : pairs;
  return (
    <section aria-label="Distances between latencies">
      <h3 className="text-14 font-semibold">
        <Term id="ksDistance">Kolmogorov–Smirnov distance</Term>
      </h3>
      <p className="mt-1 max-w-[72ch] text-13 text-ink-2" data-words>
        {DISTANCE_MEANING}
      </p>
      <ul className="mt-1 list-disc space-y-1 pl-5">
        {told.map(({ transport, runs: [a, b], said }) => (
          <li
            key={`${transport} ${a.id} ${b.id}`}
            className="max-w-[88ch]"
            data-shows="compare-distance"
            data-run={a.id}
            data-other={b.id}
            data-transport={transport}
          >
            {distanceSentence(said, pairs.length)}
          </li>
        ))}
      </ul>
      {pairs.length > told.length ? <AllPairs pairs={pairs} /> : null}
    </section>
  );
}

function AllPairs({ pairs }: { pairs: readonly LatencyPair[] }) {
  return (
    <details className="mt-2">
      <summary className="inline-flex min-h-8 items-center text-13 text-accent underline underline-offset-4 pointer-coarse:min-h-11">
        All pairs
      </summary>
      <DataTable
        shows="compare-distances"
        caption="Distances between the latencies of all pairs"
        head={['Pair', 'Transport', 'Distance', 'At, µs', 'n', 'Between rounds']}
        rows={pairs.map(({ said: { a, b, name, ks, withinRuns } }) => [
          `${letterOf(a)}, ${letterOf(b)}`,
          name,
          distanceText(ks.distance),
          sig3(ks.ns / 1000),
          `${count(ks.n[0])}, ${count(ks.n[1])}`,
          withinRuns === null ? '–' : distanceText(withinRuns),
        ])}
      />
    </details>
  );
}
