/** Goodput of a window over a path: computed from link and round trip, beside what a run measured. Pure functions. */
import { bandwidthDelay, windowLimited } from '@verbslab/labs';
import type { LabResults, RunRecord } from '@verbslab/protocol';

export interface Measured {
  window: number;
  /** Gb/s: of the fastest and of the slowest repetition. */
  gbps: number;
  min: number;
}

export interface Path {
  /** Added delay, µs. */
  delay: number;
  /** ns. */
  rtt: number;
  points: Measured[];
  /** Bytes that fill the path, and how many messages these are. */
  product: number;
  needed: number;
  /** Largest window of the figure: it fills the path, or the run measured it. */
  largest: number;
}

export interface WindowModel {
  /** Bytes of a message. */
  size: number;
  /** Gb/s. */
  link: number;
  paths: Path[];
}

/** Largest window that is drawn although no run measured it. */
const MOST = 4096;

/** Null if the run lacks a record that is needed. */
export function windowModel(
  { parameters }: Pick<RunRecord, 'parameters'>,
  { figures, tables }: LabResults,
): WindowModel | null {
  const size = Number(parameters.size);
  const link = figures.link?.value;
  if (typeof link !== 'number' || !(link > 0) || !(size > 0)) return null;
  const paths = (tables.paths ?? []).flatMap((row): Path[] => {
    const [delay, rtt] = [Number(row.delay), Number(row.rtt) * 1000];
    if (!(rtt > 0)) return [];
    const points = (tables.points ?? [])
      .filter((point) => Number(point.delay) === delay)
      .map((point) => ({ window: Number(point.window), gbps: Number(point.gbps), min: Number(point.min) }));
    const product = bandwidthDelay(link, rtt);
    const needed = product / size;
    const measured = Math.max(1, ...points.map(({ window }) => window));
    const largest = Math.max(measured, Math.min(MOST, 2 ** Math.ceil(Math.log2(needed))));
    return [{ delay, rtt, points, product, needed, largest }];
  });
  return paths.some(({ points }) => points.length > 0) ? { size, link, paths } : null;
}

/** The smaller of link and window × size / round trip, Gb/s. */
export const goodputAt = ({ link, size }: WindowModel, { rtt }: Path, window: number): number =>
  Math.min(link, windowLimited(window, size, rtt));

export interface WindowState {
  gbps: number;
  limit: 'window' | 'link';
  /** Messages in the path, and those that wait for it. */
  inPath: number;
  waiting: number;
  /** Time of each message, ns: a round trip, or what the link needs for a window. */
  latency: number;
  measured: Measured | null;
}

export function stateAt(model: WindowModel, path: Path, window: number): WindowState {
  const gbps = goodputAt(model, path, window);
  const inPath = Math.min(window, path.needed);
  return {
    gbps,
    limit: window < path.needed ? 'window' : 'link',
    ...{ inPath, waiting: window - inPath },
    latency: Math.max(path.rtt, (window * model.size * 8) / model.link),
    measured: path.points.find((point) => point.window === window) ?? null,
  };
}
