// The latency panel: the chart's texts and the table behind it.
import type { Claim, Roads } from '../claim.js';
import type { Evidence, Measured } from '../evidence.js';
import { percentile, type Share } from '../loops.js';
import { named, slotOf, stated } from './figures.js';

const of = (claim: Claim): Measured => claim.data('transport') as Measured;

/** `p99 15.4 ms`, or how many samples it needs. */
const mark =
  (which: Share, name: string, needed: string) =>
  (claim: Claim, evidence: Evidence): void => {
    const latencies = evidence.latencies(of(claim));
    const ns = percentile(latencies, which);
    if (ns === null) return claim.equal(`${name} needs n ≥ ${needed}`, latencies.road);
    const { shown } = claim.match(new RegExp(`^${name.replace('.', '\\.')} (?<shown>.+)$`));
    claim.quantity(ns, latencies.road, shown, slotOf(ns, latencies.slot));
  };

const COUNTED = { rdma: 'signaled requests', shm: 'signaled requests', tcp: 'TCP messages' } as const;

export const LATENCY: Roads<Evidence> = {
  'chart-samples': (claim, evidence) => {
    const { name, n } = claim.match(/^% of (?:(?<name>RDMA\S*) requests|TCP messages) \(n = (?<n>[\d,]+)\)$/);
    const { sorted, road } = evidence.latencies(of(claim));
    claim.equal(of(claim), 'whose it is', name === undefined ? 'tcp' : named(claim, evidence, name));
    claim.count(sorted.length, road, n);
  },
  'chart-p50': mark('p50', 'p50', '5'),
  'chart-p99': mark('p99', 'p99', '1,000'),
  'chart-p999': mark('p999', 'p99.9', '10,000'),
  'latency-table': (claim, evidence) => {
    const [head, ...rows] = claim.shown.rows!;
    claim.equal(
      'Transport,Counted,n,min, µs,p50, µs,p99, µs,p99.9, µs,max, µs',
      'what the audit knows of it',
      head!.join(),
    );
    for (const [name = '', what, n, min, p50 = '', p99 = '', p999 = '', max] of rows) {
      const transport = named(claim, evidence, name);
      const { sorted, road, slot } = evidence.latencies(transport);
      claim.equal(COUNTED[transport], 'what the loop measures', what);
      claim.count(sorted.length, road, n);
      for (const [ns, shown] of [
        [sorted[0]!, min],
        [sorted.at(-1)!, max],
      ] as const)
        claim.figure(ns / 1000, road, shown, slotOf(ns, slot) / 1000);
      const row = claim.about({ transport });
      stated(row, evidence, 'p50', p50);
      stated(row, evidence, 'p99', p99);
      stated(row, evidence, 'p999', p999);
    }
  },
};
