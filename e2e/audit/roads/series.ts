// The tables behind the charts over time, binned again from the raw intervals.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type RunExport } from '../export.js';
import { sum } from '../figures.js';
import { named } from './figures.js';

export interface Stretch {
  transport: string;
  /** True if its bytes count. A server counts the bytes of its client once more. */
  drives: boolean;
  from: number;
  to: number;
  bits: number;
  cpu: Record<CpuPart, number>;
}
export type CpuPart = 'app' | 'nic' | 'kernel';
export const CPU_PARTS = ['app', 'nic', 'kernel'] as const;

export function stretchesOf(data: RunExport): Stretch[] {
  const sources = new Map(itemsOf(data, 'source').map((event) => [event.source, event]));
  return itemsOf(data, 'series').flatMap(({ source, records }) =>
    records.map((record) => ({
      transport: sources.get(source)!.transport,
      drives: sources.get(source)!.role !== 'server',
      from: record.t - record.intervalNs,
      to: record.t,
      bits: record.bytes * 8,
      cpu: { app: record.appNs, nic: record.nicNs ?? 0, kernel: record.kernelNs },
    })),
  );
}

export interface Row {
  from: number;
  to: number;
  hole: boolean;
  cells: readonly string[];
}

/** Rows with their times, ns: bins around a middle, or one long sample with its begin and end. */
function rowsOf(rows: readonly (readonly string[])[]): Row[] {
  const middles = rows.flatMap(([time = '']) => (/ to /.test(time) ? [] : [Number(time)]));
  const steps = middles.slice(1).map((t, i) => t - middles[i]!);
  // The narrowest step is a bin: 0.1 s, doubled until the run fits the chart.
  const doubled = Math.max(0, Math.round(Math.log2(Math.min(...steps, 1e9) / 0.1)));
  const half = Number.isFinite(doubled) && steps.length > 0 ? (0.1 * 2 ** doubled) / 2 : 0.05;
  return rows.map(([time = '', ...cells]) => {
    const hole = /^([\d.]+) to ([\d.]+), one sample$/.exec(time);
    const [from, to] = hole ? [Number(hole[1]), Number(hole[2])] : [Number(time) - half, Number(time) + half];
    return { from: from * 1e9, to: to * 1e9, hole: hole !== null, cells };
  });
}

const LONG_NS = 300e6;
export const overlap = (a: { from: number; to: number }, b: { from: number; to: number }): number =>
  Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));

export const share = (stretch: Stretch, row: Row): number =>
  overlap(stretch, row) / (stretch.to - stretch.from);

/** Intervals of a transport in a row. Long samples have rows of their own. */
export function inRow(stretches: readonly Stretch[], transport: string, row: Row): Stretch[] {
  const width = row.to - row.from;
  return stretches.filter(
    (one) =>
      one.transport === transport &&
      overlap(one, row) > (one.to - one.from) * 1e-6 &&
      (row.hole ? one.to - one.from > LONG_NS : one.to - one.from <= Math.max(LONG_NS, width)),
  );
}

function goodput(claim: Claim, evidence: Evidence): void {
  const { data } = evidence;
  const [head = [], ...body] = claim.shown.rows!;
  const transports = head.slice(1).map((title) => named(claim, evidence, title.replace(', Gb/s', '')));
  const stretches = stretchesOf(data);
  for (const row of rowsOf(body)) {
    if (row.hole) continue;
    transports.forEach((transport, i) => {
      const driving = inRow(stretches, transport, row).filter(({ drives }) => drives);
      const about = claim.about({ transport, row: `${(row.from / 1e9).toFixed(2)} s` });
      if (driving.length === 0) return about.equal('–', 'the intervals', row.cells[i]);
      const bits = sum(driving.map((one) => one.bits * share(one, row)));
      const ns = sum(driving.map((one) => overlap(one, row)));
      about.figure(bits / ns, 'the intervals, each by its share in the row', row.cells[i]);
    });
  }
  // Every interval with bytes is in a row.
  const covered = (one: Stretch) => rowsOf(body).some((row) => overlap(one, row) > 0);
  const missing = stretches.filter((one) => one.drives && one.bits > 0 && !covered(one));
  claim.equal(0, 'intervals with bytes that no row covers', String(missing.length));
}

/** Checks the CPU time. Readings of the kernel's times come late, so rows share them out. The sum stays the same. */
function cpu(claim: Claim, evidence: Evidence): void {
  const { data } = evidence;
  const [head = [], ...body] = claim.shown.rows!;
  const stretches = stretchesOf(data);
  const rows = rowsOf(body);
  const cpus = Math.max(...itemsOf(data, 'endpoint').map((event) => event.cpus ?? Infinity));
  head.slice(1).forEach((title, column) => {
    const part = CPU_PARTS.find((each) => title.endsWith(` ${PART_NAMES[each]}`));
    const name = title.slice(0, part && -PART_NAMES[part].length - 1);
    const transport = named(claim, evidence, name);
    if (!part) claim.fail('the columns that the audit knows', Object.values(PART_NAMES).join(', '), title);
    let shown = 0;
    let rounding = 0;
    for (const row of rows) {
      const cell = row.cells[column]!;
      if (cell === '–') continue;
      const cores = Number(cell.replaceAll(',', ''));
      const measured = inRow(stretches, transport, row);
      const from = Math.max(row.from, Math.min(...measured.map((one) => one.from)));
      const to = Math.min(row.to, Math.max(...measured.map((one) => one.to)));
      shown += cores * (to - from);
      rounding += 0.005 * Math.max(0.01, cores) * (to - from);
      const about = claim.about({ transport, row: `${(row.from / 1e9).toFixed(2)} s` });
      about.holds(cores <= cpus * 1.005, 'the CPUs of the host', `${cores} of ${cpus}`);
    }
    const all = sum(stretches.filter((one) => one.transport === transport).map((one) => one.cpu[part]));
    // Every row is rounded to three digits. Times of bins that hold only an edge are within a thousandth.
    const about = claim.about({ transport, row: 'all' });
    about.holds(
      Math.abs(shown - all) <= rounding + all * 0.002,
      `the ${PART_NAMES[part]} time of all intervals`,
      `${(all / 1e9).toFixed(4)} s, and the rows add up to ${(shown / 1e9).toFixed(4)} s`,
    );
  });
}

const PART_NAMES: Readonly<Record<CpuPart, string>> = {
  app: 'application',
  nic: 'NIC work',
  kernel: 'kernel',
};

export const SERIES: Roads<Evidence> = { 'goodput-series': goodput, 'cpu-series': cpu };
