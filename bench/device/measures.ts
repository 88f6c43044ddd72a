// Measurements of the device bench: the device over one of its links, and the kernel beside it.
import { vlloop, type Link, type LoopFigures, type LoopSetup, type Transport } from '../lib/vlloop.js';

export const KIB = 1024;
export const SECONDS = ['-D', '1', '--omit', '0.2'];
const SMALL_LIST = ['-s', '64', '-l', '32', '-t', '512', '-Q', '128'];
/**
 * Each of 1024 QPs has two messages under way, each in memory of its own: with 64 KiB each, 128 MiB at either end, which
 * no cache holds.
 */
const MANY_QPS = ['-q', '1024', '-t', '2', '--places', '2', '-r', '1', '-Q', '2'];
/** A single QP with as many messages under way, in as much memory. */
const ONE_DEEP_QP = ['-t', '2048', '--places', '2048', '-r', '1', '-Q', '2'];

type Measure = () => Promise<number>;

const figure =
  (
    of: (figures: LoopFigures) => number,
    transport: Transport,
    options: readonly string[],
    setup?: LoopSetup,
  ) =>
  async () =>
    of(await vlloop(transport, [...options, ...SECONDS], setup));
const gbps = (f: LoopFigures) => f.goodputGbps;
const millions = (f: LoopFigures) => f.messagesPerSecond / 1e6;

/** A stream of 64 KiB writes, as fast as the receiver takes them. */
export const tcp: Measure = figure(gbps, 'tcp', ['-s', String(64 * KIB), '--ack-every', '0']);
/** Datagrams as long as a WRITE packet of 4 KiB, as many per send as the kernel takes, and nothing computed on top. */
export const offload: Measure = figure(gbps, 'udp', ['-s', '4156', '--segments', '15', '-t', '90']);
/** Datagrams of 64 B, one per call. */
export const oneByOne: Measure = figure(millions, 'udp', ['-s', '64', '-t', '128']);

/** The median of whole round trips of 2 B, microseconds. */
export const roundTrip =
  (transport: Transport, options: readonly string[], setup?: LoopSetup): Measure =>
  async () =>
    (await vlloop(transport, ['--lat', '-s', '2', ...options], setup)).latencyUs.p50;

/** Measurements of the device over that link; of another device if its `library` is given. */
export function over(link: Link, library?: string) {
  const setup: LoopSetup = { link, ...(library === undefined ? {} : { library }) };
  const op = (name: string, size: number, ...options: string[]) =>
    figure(gbps, 'rdma', ['--op', name, '-s', String(size), ...options], setup);
  return {
    op,
    write: {
      '4k': op('write', 4 * KIB),
      '64k': op('write', 64 * KIB),
      '1m': op('write', 1024 * KIB, '-t', '32', '-Q', '8'),
    },
    manyQps: op('write', 64 * KIB, ...MANY_QPS),
    oneDeepQp: op('write', 64 * KIB, ...ONE_DEEP_QP),
    smallList: figure(millions, 'rdma', ['--op', 'write', ...SMALL_LIST], setup),
    pingPolling: roundTrip('rdma', ['--op', 'send', '-n', '60000'], setup),
  };
}
