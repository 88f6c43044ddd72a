// The embedded device beside TCP and UDP on loopback: bulk goodput and round trips, in pairs.
import { benchOptions, paired, runCases, type Cases } from './lib/paired.js';
import { vlloop, type LoopFigures, type Transport } from './lib/vlloop.js';

const { pairs, ...chosen } = benchOptions();

const seconds = ['-D', '1.5', '--omit', '0.3'];
const goodput =
  (transport: Transport, ...options: string[]) =>
  async () =>
    (await vlloop(transport, [...options, ...seconds])).goodputGbps;
/** A quantile of whole round trips, microseconds. */
const roundTrip =
  (figure: keyof LoopFigures['latencyUs'], transport: Transport, ...options: string[]) =>
  async () =>
    (await vlloop(transport, ['--lat', '-s', '2', '-n', '60000', ...options])).latencyUs[figure];

/** A stream of 64 KiB writes, as fast as the receiver takes them. */
const tcp = goodput('tcp', '-s', '65536', '--ack-every', '0');
const write = (size: number, ...options: string[]) =>
  goodput('rdma', '--op', 'write', '-s', String(size), ...options);

const cases: Cases = {
  'write-4k': () =>
    paired('WRITE 4 KiB against one TCP stream', 'Gb/s', pairs, write(4096), tcp, { atLeast: 1.2 }),
  'write-64k': () =>
    paired('WRITE 64 KiB against one TCP stream', 'Gb/s', pairs, write(65536), tcp, { atLeast: 1 }),
  'write-1m': () =>
    paired('WRITE 1 MiB against one TCP stream', 'Gb/s', pairs, write(1048576, '-t', '32', '-Q', '8'), tcp, {
      atLeast: 1.3,
    }),
  'ping-udp': () =>
    paired(
      'SEND 2 B ping-pong, ends that poll, against spinning unconnected UDP (median round trip)',
      'us',
      pairs,
      roundTrip('p50', 'rdma', '--op', 'send'),
      roundTrip('p50', 'udp'),
      { atMost: 1.3 },
    ),
  'ping-tcp': () =>
    paired(
      'SEND 2 B ping-pong, ends that poll, against spinning TCP (median round trip)',
      'us',
      pairs,
      roundTrip('p50', 'rdma', '--op', 'send'),
      roundTrip('p50', 'tcp'),
      { atMost: 1.1 },
    ),
};

await runCases(cases, chosen);
