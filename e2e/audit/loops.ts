// What the loops of a measuring run did, summed from the raw intervals, completions and histograms of its stream.
import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import type * as Hdr from 'hdr-histogram-js';
import type { SeriesRecord, Transport } from '@verbslab/protocol';
import { itemsOf, type RunExport } from './export.js';
import { middle, percentileOf, sum } from './figures.js';

const hdr = createRequire(import.meta.url)('hdr-histogram-js') as typeof Hdr;

/** Flags of a frame (docs/protocol.md). */
const OMITTED = 2;
const TOTAL = 8;
const V2_COMPRESSED = 0x1c849304 | 0x10;

export interface Interval extends SeriesRecord {
  omitted: boolean;
}

/** One end of one round. */
export interface Loop {
  source: number;
  transport: Transport;
  role: 'client' | 'server';
  round: number;
  intervals: Interval[];
  measured: Interval[];
}

export interface Round {
  client: Loop;
  server: Loop;
  goodputGbps: number;
  messagesPerSecond: number;
  /** CPU seconds per 10^9 bytes, both ends. */
  cpu: { app: number; nic: number; kernel: number; sum: number };
  seconds: number;
  bytes: number;
  messages: number;
}

export function loopsOf(data: RunExport): Loop[] {
  const frames = itemsOf(data, 'series');
  return itemsOf(data, 'source').flatMap(({ source, transport, role, what, round = 1 }) => {
    if (what !== 'loop' || role === 'process') return [];
    const intervals = frames
      .filter((frame) => frame.source === source)
      .flatMap((frame) =>
        frame.records.map((record) => ({ ...record, omitted: (frame.flags & OMITTED) !== 0 })),
      );
    const measured = intervals.filter(({ omitted }) => !omitted);
    return [{ source, transport, role, round, intervals, measured }];
  });
}

const total = (intervals: readonly Interval[], field: keyof SeriesRecord): number =>
  // JSON has null for unknown values.
  sum(intervals.map((interval) => interval[field] ?? 0));

export const ofMeasured = ({ measured }: Loop, field: keyof SeriesRecord): number => total(measured, field);
export const ofAll = ({ intervals }: Loop, field: keyof SeriesRecord): number => total(intervals, field);

/** Rounds of a transport, in order. */
export function roundsOf(data: RunExport, transport: Transport): Round[] {
  const loops = loopsOf(data).filter((loop) => loop.transport === transport);
  return loops
    .filter(({ role }) => role === 'client')
    .toSorted((a, b) => a.round - b.round)
    .map((client) => {
      const server = loops.find(({ role, round }) => role === 'server' && round === client.round)!;
      const bytes = ofMeasured(client, 'bytes');
      const ns = ofMeasured(client, 'intervalNs');
      const cost = (field: keyof SeriesRecord): number =>
        (ofMeasured(client, field) + ofMeasured(server, field)) / bytes;
      // TCP has no device: its work is the kernel's.
      const nic = transport === 'tcp' ? 0 : cost('nicNs');
      const [app, kernel] = [cost('appNs'), cost('kernelNs')];
      return {
        client,
        server,
        goodputGbps: (bytes * 8) / ns,
        messagesPerSecond: ofMeasured(client, 'messages') / (ns / 1e9),
        cpu: { app, nic, kernel, sum: app + nic + kernel },
        seconds: ns / 1e9,
        bytes,
        messages: ofMeasured(client, 'messages'),
      };
    });
}

/** Where nothing was moved, as may be on a busy machine, a byte has no cost. */
export const costsOf = (rounds: readonly Round[]): Round['cpu'][] =>
  rounds.filter(({ bytes }) => bytes > 0).map(({ cpu }) => cpu);

/** The parts of the round with the median cost, or the means of the two in the middle: pages show parts that add up. */
export function medianCost(rounds: readonly Round[]): Round['cpu'] {
  const sorted = costsOf(rounds).toSorted((a, b) => a.sum - b.sum);
  const halves = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)];
  const mean = (part: keyof Round['cpu']): number => sum(halves.map((at) => sorted[at]![part])) / 2;
  return { app: mean('app'), nic: mean('nic'), kernel: mean('kernel'), sum: mean('sum') };
}

export const medianOf = (rounds: readonly Round[], of: (round: Round) => number): number =>
  middle(rounds.map(of).filter(Number.isFinite));

export interface Latencies {
  /** Nanoseconds, ascending. */
  sorted: number[];
  /** How the samples were had, as messages say it. */
  road: string;
  /** The most by which a recorder's slot differs from the sample in it, as a share. */
  slot: number;
}

/** Slots of the loops' recorder are a thousandth wide: three significant digits. */
const SLOT = 1 / 1000;

/** Latencies of the measured time of all rounds, each sample on its own where the stream has each completion. */
export const latenciesOf = (data: RunExport, transport: Transport): Latencies =>
  samplesOf(
    data,
    loopsOf(data).filter((loop) => loop.transport === transport && loop.role === 'client'),
  );

/** The same of the client's loop of one round. */
export const latenciesIn = (data: RunExport, { client }: Round): Latencies => samplesOf(data, [client]);

function samplesOf(data: RunExport, clients: readonly Loop[]): Latencies {
  const each = clients.map((loop) => eachCompletion(data, loop));
  if (each.every((samples) => samples !== null)) {
    return {
      sorted: each.flat().sort((a, b) => a - b),
      road: 'the latencies of all completion records, sorted',
      slot: SLOT,
    };
  }
  return {
    sorted: clients.flatMap(({ source }) => fromHistograms(data, source)).sort((a, b) => a - b),
    road: 'the histograms of all intervals, read by hdr-histogram-js and sorted',
    slot: SLOT,
  };
}

/** Null when not every completion is in the record. What completed after the loop's time was over is, and is no sample. */
function eachCompletion(data: RunExport, { source, intervals }: Loop): number[] | null {
  const frames = itemsOf(data, 'completions').filter((frame) => frame.source === source);
  const counted = sum(intervals.map(({ latencyCount }) => latencyCount));
  const lost =
    sum(frames.map(({ dropped }) => dropped)) + sum(itemsOf(data, 'dropped').map(({ records }) => records));
  if (lost > 0 || sum(frames.map(({ count }) => count)) < counted) return null;
  const samples = frames
    .flatMap(({ t, columns }) => columns.dt.map((dt, i) => ({ t: t + dt, latency: columns.latency[i]! })))
    .sort((a, b) => a.t - b.t);
  const warmUp = sum(intervals.filter(({ omitted }) => omitted).map(({ latencyCount }) => latencyCount));
  return samples.slice(warmUp, counted).map(({ latency }) => latency);
}

/**
 * The most requests of a loop that were posted and not completed when it posted a signaled one. Its wr_id counts the
 * requests before it. 0 where records are missing.
 */
export function mostOutstanding(data: RunExport, source: number): number {
  const frames = itemsOf(data, 'completions').filter((frame) => frame.source === source);
  if (frames.some(({ dropped }) => dropped > 0)) return 0;
  const completed = frames
    .flatMap(({ t, columns: c }) =>
      c.dt.map((dt, i) => ({ polled: t + dt, posted: t + dt - c.latency[i]!, wrId: c.wrId[i]! })),
    )
    .toSorted((a, b) => a.polled - b.polled);
  let [most, before] = [0, 0];
  for (const { posted, wrId } of completed.toSorted((a, b) => a.posted - b.posted)) {
    while (completed[before] && completed[before]!.polled <= posted) before++;
    const done = before === 0 ? 0 : completed[before - 1]!.wrId + 1;
    most = Math.max(most, wrId + 1 - done);
  }
  return most;
}

/** Every sample at the upper end of its slot. */
function fromHistograms(data: RunExport, source: number): number[] {
  const samples: number[] = [];
  for (const { source: from, flags, hdrV2 } of itemsOf(data, 'histogram')) {
    if (from !== source || (flags & (OMITTED | TOTAL)) !== 0) continue;
    const body = deflateSync(Buffer.from(hdrV2, 'base64'));
    const head = Buffer.alloc(8);
    head.writeUInt32BE(V2_COMPRESSED, 0);
    head.writeUInt32BE(body.length, 4);
    const histogram = hdr.decodeFromCompressedBase64(
      Buffer.concat([head, body]).toString('base64'),
    ) as Hdr.Histogram & {
      countsArrayLength: number;
      getCountAtIndex(index: number): number;
      valueFromIndex(index: number): number;
      highestEquivalentValue(value: number): number;
    };
    for (let index = 0; index < histogram.countsArrayLength; index++) {
      const count = histogram.getCountAtIndex(index);
      if (count === 0) continue;
      const value = histogram.highestEquivalentValue(histogram.valueFromIndex(index));
      for (let i = 0; i < count; i++) samples.push(value);
    }
  }
  return samples;
}

/** Percentiles that pages state. */
export const SHARES = { p50: 0.5, p99: 0.99, p999: 0.999 } as const;
export type Share = keyof typeof SHARES;

/** Null where fewer than ten samples lie beyond it; for the median, which is no tail, fewer than two on either side. */
export function percentile({ sorted }: Latencies, which: Share): number | null {
  const value = percentileOf(sorted, SHARES[which]);
  const rank = Math.ceil(sorted.length * SHARES[which] - 1e-6);
  const [below, beyond] = [rank - 1, sorted.length - rank];
  const enough = which === 'p50' ? below >= 2 && beyond >= 2 : beyond >= 10;
  return enough ? value : null;
}
