// The latency panel: the chart's texts and the table behind it.
import type { Claim, Roads } from '../claim.js';
import type { Evidence, Measured } from '../evidence.js';
import { itemsOf } from '../export.js';
import { nearest } from '../figures.js';
import { percentile, type Share } from '../loops.js';
import { polledOf } from '../program.js';
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

const RECORDED = 'the completion records of the stream';

/** The table of a program's latencies over time: rows follow each other, and hold all requests. */
function overTime(claim: Claim, { data }: Evidence): void {
  const [head, ...rows] = claim.shown.rows!;
  claim.equal('From, s,To, s,n,p50, µs,p99, µs,max, µs', 'what the audit knows of it', head!.join());
  const timed = polledOf(data).filter(({ latency }) => latency > 0);
  // Times are shown to 0.1 ms.
  const within = (from: number, to: number, by: number) =>
    timed.filter(({ t }) => t >= from * 1e9 - by && t < to * 1e9 + by).map(({ latency }) => latency);
  let total = 0;
  for (const [from, to, n = '', p50 = '', p99 = '', max] of rows) {
    const row = claim.about({ row: from! });
    const [surely, perhaps] = [-5e4, 5e4].map((by) => within(Number(from), Number(to), by));
    const count = Number(n.replaceAll(',', ''));
    total += count;
    row.holds(count >= surely!.length && count <= perhaps!.length, RECORDED, perhaps!.length);
    const most = Math.max(...perhaps!);
    row.holds(Number(max!.replaceAll(',', '')) * 1000 <= most * 1.01 + 1, RECORDED, most);
    for (const one of [p50, p99].filter((text) => text !== 'not enough samples')) {
      const ns = Number(one.replaceAll(',', '')) * 1000;
      row.holds(ns <= most * 1.01 + 1 && ns >= Math.min(...perhaps!) * 0.99, RECORDED, most);
    }
  }
  claim.equal(total, RECORDED, String(timed.length));
}

/** The scale of the heat map: its largest cell, at four classes of latency per octave. */
function cells(claim: Claim, { data }: Evidence): void {
  const { most, width } = claim.match(/^(?<most>[\d,]+) requests? per cell of (?<width>.+)$/);
  const ns = nearest(width!)!.value;
  const counts = new Map<string, number>();
  for (const { t, latency } of polledOf(data)) {
    if (latency === 0) continue;
    const cell = `${Math.floor(t / ns)} ${Math.ceil(Math.log2(Math.max(129, latency)) * 4)}`;
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const found = Math.max(...counts.values());
  // The page rounds latencies up by a thousandth at most, which moves a few of them to the next class.
  claim.holds(
    Math.abs(Number(most!.replaceAll(',', '')) - found) <= Math.max(2, 0.05 * found),
    RECORDED,
    found,
  );
}

/** Completions without a latency, by the reason. */
function missing(claim: Claim, { data }: Evidence): void {
  const meta = itemsOf(data, 'completions').flatMap(({ columns }) =>
    columns.meta.map((one, i) => ({
      status: (one >>> 8) & 0xff,
      opcode: one & 0xff,
      ns: columns.latency[i]!,
    })),
  );
  const failed = meta.filter(({ status }) => status !== 0).length;
  const received = meta.filter(({ status, opcode, ns }) => status === 0 && ns === 0 && opcode >= 128).length;
  for (const [, n = '', what] of claim.text.matchAll(/([\d,]+) (receives?|with an error)/g))
    claim.count(what!.startsWith('receive') ? received : failed, RECORDED, n);
}

export const LATENCY: Roads<Evidence> = {
  'latencies-measured': (claim, evidence) => {
    const { sorted, road } = evidence.latencies('rdma');
    claim.count(sorted.length, road);
  },
  'latencies-capped': (claim, evidence) =>
    claim.count(evidence.latencies('rdma').sorted.filter((ns) => ns === 0xffff_ffff).length, RECORDED),
  'latencies-missing': missing,
  'latency-cells': cells,
  'latency-time-table': overTime,
  'chart-samples': (claim, evidence) => {
    const { name, n } = claim.match(/^% of (?:(?<name>RDMA\S*) requests|TCP messages) \(n = (?<n>[\d,]+)\)$/);
    const { sorted, road } = evidence.latencies(of(claim));
    claim.equal(of(claim), 'whose it is', name === undefined ? 'tcp' : named(claim, evidence, name));
    claim.count(sorted.length, road, n);
  },
  'chart-p50': mark('p50', 'p50', '5'),
  'chart-p99': mark('p99', 'p99', '1,000'),
  'chart-p999': mark('p999', 'p99.9', '10,000'),
  'request-latency-table': table,
  'latency-table': table,
};

function table(claim: Claim, evidence: Evidence): void {
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
}
