// Series of several runs in one chart: the raw intervals, binned by run time, with the time since measuring began.
import type { Claim, Roads } from '../claim.js';
import type { Evidence, Measured } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { loopsOf } from '../loops.js';
import { runsOf } from './compared-runs.js';
import { named } from './figures.js';
import { inRow, overlap, share, stretchesOf, type CpuPart, type Row } from './series.js';

const BIN_NS = 100e6;

/** Start of measuring of a transport, ns: the end of the warm-up of its first round. */
function zeroOf({ data }: Evidence, transport: Measured): number {
  const first = loopsOf(data)
    .filter((loop) => loop.transport === transport && loop.role === 'client' && loop.intervals.length > 0)
    .toSorted((a, b) => a.intervals[0]!.t - b.intervals[0]!.t)[0]!;
  const warmUp = first.intervals.filter(({ omitted }) => omitted);
  if (warmUp.length > 0) return Math.max(...warmUp.map(({ t }) => t));
  const begin = first.intervals[0]!.t - first.intervals[0]!.intervalNs;
  return Math.floor(begin / BIN_NS) * BIN_NS;
}

/** The bin of run time whose middle lies in a row of the page. */
function binOf(t: number, zero: number): Row {
  const row = Math.round(t * 10 - 0.5);
  const at = Math.ceil((row * BIN_NS + zero) / BIN_NS - 0.5 - 1e-6);
  return { from: at * BIN_NS, to: (at + 1) * BIN_NS, hole: false, cells: [] };
}

interface Column {
  run: Evidence;
  transport: Measured;
  zero: number;
}

function eachCell(
  claim: Claim,
  evidence: Evidence,
  unit: string,
  look: (about: Claim, column: Column, bin: Row, cell: string) => void,
): void {
  const [head = [], ...rows] = claim.shown.rows!;
  claim.equal('Time since measuring began, s', 'what the audit knows of it', head[0]);
  const columns = head.slice(1, -1).map((title): Column => {
    const { letter = '', name = '' } = claim.match(
      new RegExp(`^(?<letter>[A-F]) (?<name>\\S+), ${unit}$`),
      title,
    );
    const run = runsOf(evidence)['ABCDEF'.indexOf(letter)]!;
    const transport = named(claim, run, name);
    return { run, transport, zero: zeroOf(run, transport) };
  });
  for (const [time = '', ...cells] of rows) {
    // A long sample has a row of its own.
    if (/ to /.test(time)) continue;
    columns.forEach((column, i) => {
      const { transport, zero } = column;
      const about = claim.about({ transport, row: `${head[i + 1]} at ${time} s` });
      look(about, column, binOf(Number(time), zero), cells[i]!);
    });
  }
}

function goodput(claim: Claim, evidence: Evidence): void {
  eachCell(claim, evidence, 'Gb/s', (about, { run, transport }, bin, cell) => {
    const driving = inRow(stretchesOf(run.data), transport, bin).filter(({ drives }) => drives);
    const ns = sum(driving.map((one) => overlap(one, bin)));
    if (ns < 1e3) return;
    const bits = sum(driving.map((one) => one.bits * share(one, bin)));
    about.figure(bits / ns, 'the intervals, each by its share in the row', cell);
  });
}

/** Checks the CPU time. Readings of the kernel's times come late, so rows share them out. The sum stays the same. */
const cpu =
  (part: CpuPart) =>
  (claim: Claim, evidence: Evidence): void => {
    const shown = new Map<string, { ns: number; rounding: number; column: Column }>();
    eachCell(claim, evidence, 'cores', (about, column, bin, cell) => {
      const cpus = Math.max(...itemsOf(column.run.data, 'endpoint').map((event) => event.cpus ?? Infinity));
      const cores = cell === '–' ? 0 : Number(cell.replaceAll(',', ''));
      about.holds(cores <= cpus * 1.005, 'the CPUs of the host', `${cores} of ${cpus}`);
      const measured = inRow(stretchesOf(column.run.data), column.transport, bin);
      if (measured.length === 0) return;
      const from = Math.max(bin.from, Math.min(...measured.map((one) => one.from)));
      const to = Math.min(bin.to, Math.max(...measured.map((one) => one.to)));
      const key = `${column.run.data.run.id} ${column.transport}`;
      const so = shown.get(key) ?? { ns: 0, rounding: 0, column };
      so.ns += cores * (to - from);
      so.rounding += 0.005 * Math.max(0.01, cores) * (to - from);
      shown.set(key, so);
    });
    for (const { ns, rounding, column } of shown.values()) {
      const own = stretchesOf(column.run.data).filter(({ transport }) => transport === column.transport);
      // Long samples have rows of their own.
      if (own.some((one) => one.to - one.from > 3 * BIN_NS)) continue;
      const all = sum(own.map((one) => one.cpu[part]));
      claim.about({ transport: column.transport, row: 'all' }).holds(
        // Every row is rounded to three digits. Times of bins that hold only an edge are within a thousandth.
        Math.abs(ns - all) <= rounding + all * 0.002,
        'the CPU time of all intervals',
        `${(all / 1e9).toFixed(4)} s, and the rows add up to ${(ns / 1e9).toFixed(4)} s`,
      );
    }
  };

export const COMPARED_SERIES: Roads<Evidence> = {
  'compare-goodput-series': goodput,
  'compare-app-series': cpu('app'),
  'compare-nic-series': cpu('nic'),
  'compare-kernel-series': cpu('kernel'),
};
