// Results of the loops of a measuring run, summed from the raw intervals, completions and histograms of its stream.
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

/** A measuring loop: one end, one round. */
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
      // TCP has no device. Its work is the kernel's.
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

/** Costs of the rounds. A round that moved nothing, as on a busy machine, has no cost per byte. */
export const costsOf = (rounds: readonly Round[]): Round['cpu'][] =>
  rounds.filter(({ bytes }) => bytes > 0).map(({ cpu }) => cpu);

/** Parts of the round with the median cost, or means of the two in the middle. Pages show parts that add up. */
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
  /** Source of the samples, for messages. */
  road: string;
  /** Largest relative difference between a sample and its slot in the recorder. */
  slot: number;
}

/** Width of a slot in the loops' recorder, as a share: three significant digits. */
const SLOT = 1 / 1000;

/** Latencies of the measured time of all rounds: single samples if the stream has every completion, else histograms. */
export const latenciesOf = (data: RunExport, transport: Transport): Latencies =>
  samplesOf(
    data,
    loopsOf(data).filter((loop) => loop.transport === transport && loop.role === 'client'),
  );

/** Latencies of the client's loop of one round. */
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

/** Returns null if a completion is missing. Completions after the loop's time are in the record but are no samples. */
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
 * Largest number of requests of a loop that were posted and not completed when it posted a signaled one. The wr_id
 * counts the requests before it. Returns 0 if records are missing.
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

/** Returns every sample as the upper end of its slot. */
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

/** Percentiles that pages show. */
export const SHARES = { p50: 0.5, p99: 0.99, p999: 0.999 } as const;
export type Share = keyof typeof SHARES;

/** Returns null with fewer than ten samples beyond the percentile; for the median, with fewer than two on a side. */
export function percentile({ sorted }: Latencies, which: Share): number | null {
  const value = percentileOf(sorted, SHARES[which]);
  const rank = Math.ceil(sorted.length * SHARES[which] - 1e-6);
  const [below, beyond] = [rank - 1, sorted.length - rank];
  const enough = which === 'p50' ? below >= 2 && beyond >= 2 : beyond >= 10;
  return enough ? value : null;
}
