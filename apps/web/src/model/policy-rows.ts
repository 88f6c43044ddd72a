/** What the law of a queue pair did over time, for charts. */
import type { PolicyState } from '@verbslab/protocol';
import type { PolicyTrack } from '@verbslab/report/policies';
import { thinnedRows } from './thinned-rows';

export interface PolicyRow {
  /** Seconds. */
  t: number;
  /** Gb/s. Absent if the law has none. While the law does not limit it, it is the line’s. */
  rate?: number;
  target?: number;
  /** DCQCN, while the rate is limited. */
  alpha?: number;
  /** KiB. */
  window?: number;
  /** Smoothed, µs. */
  rtt?: number;
  [key: string]: number | undefined;
}

export interface PolicyLine {
  key: 'rate' | 'target' | 'alpha' | 'window' | 'rtt';
  name: string;
  color: string;
  dash?: string;
}

/** A chart of one figure of the law, by its unit. */
export interface PolicyPlot {
  title: string;
  unit: string;
  lines: readonly PolicyLine[];
}

const RATE: PolicyLine = { key: 'rate', name: 'Rate', color: 'var(--rdma)' };
const TARGET: PolicyLine = { key: 'target', name: 'Target', color: 'var(--ink-2)', dash: '4 3' };
const ALPHA: PolicyLine = { key: 'alpha', name: 'Alpha', color: 'var(--cpu-nic)' };
const WINDOW: PolicyLine = { key: 'window', name: 'Window', color: 'var(--rdma)' };
const RTT: PolicyLine = { key: 'rtt', name: 'Smoothed RTT', color: 'var(--cpu-nic)' };

const RTT_PLOT: PolicyPlot = { title: 'Smoothed round-trip time', unit: 'µs', lines: [RTT] };

/** The charts of a law; none without congestion control, whose recovery has no state to show. */
export function policyPlots({ congestion }: Pick<PolicyState, 'congestion'>): readonly PolicyPlot[] {
  if (congestion.startsWith('dcqcn'))
    return [
      { title: 'Rate and target rate', unit: 'Gb/s', lines: [RATE, TARGET] },
      { title: 'Alpha', unit: 'of 1', lines: [ALPHA] },
    ];
  if (congestion.startsWith('timely')) return [{ title: 'Rate', unit: 'Gb/s', lines: [RATE] }, RTT_PLOT];
  if (congestion === 'swift') return [{ title: 'Window', unit: 'KiB', lines: [WINDOW] }, RTT_PLOT];
  return [];
}

/** The figures of a state in the units of the charts. */
export function policyFigures({
  rate,
  lineRate,
  target,
  alphaPpm,
  window,
  srttNs,
}: PolicyState): Omit<PolicyRow, 't'> {
  const allowed = rate ?? lineRate;
  return {
    ...(allowed === undefined ? {} : { rate: allowed / 1e9 }),
    ...(target === undefined ? {} : { target: target / 1e9 }),
    ...(alphaPpm === undefined ? {} : { alpha: alphaPpm / 1e6 }),
    ...(window === undefined ? {} : { window: window / 1024 }),
    ...(srttNs === undefined ? {} : { rtt: srttNs / 1e3 }),
  };
}

/** Rows of charts of steps until `end`, ns. A stretch without samples is a gap. */
export function policyRows({ states, last }: PolicyTrack, end: number): PolicyRow[] {
  const rows = states.map(({ t, state }): PolicyRow => ({
    t: t / 1e9,
    ...(state === null ? {} : policyFigures(state)),
  }));
  const newest = states.at(-1);
  if (newest?.state && end > newest.t) rows.push({ ...rows.at(-1)!, t: end / 1e9 });
  const by = policyPlots(last)[0]?.lines[0]!.key ?? 'rate';
  return thinnedRows(rows, (row) => row[by]);
}
