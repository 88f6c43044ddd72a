// What the embedded device reaches beside sockets: bulk, small messages, round trips, sleeping targets, in pairs.
import { benchOptions, paired, runCases, type Cases } from './lib/paired.js';
import { perftest } from './lib/perftest.js';
import { vlloop, vlloopBoth, type LoopFigures, type Transport } from './lib/vlloop.js';

const { pairs, ...chosen } = benchOptions();

const SECONDS = ['-D', '1', '--omit', '0.2'];
const KIB = 1024;

const figure =
  (of: (figures: LoopFigures) => number, transport: Transport, ...options: string[]) =>
  async () =>
    of(await vlloop(transport, [...options, ...SECONDS]));
const gbps = (f: LoopFigures) => f.goodputGbps;
const millions = (f: LoopFigures) => f.messagesPerSecond / 1e6;

const op = (name: string, size: number, ...options: string[]) =>
  figure(gbps, 'rdma', '--op', name, '-s', String(size), ...options);
const LARGE = ['-t', '32', '-Q', '8'];

/** One stream of 64 KiB writes, as fast as the receiver takes them. */
const tcp = figure(gbps, 'tcp', '-s', String(64 * KIB), '--ack-every', '0');
/** Datagrams as long as a WRITE packet of 4 KiB, as many a send as the kernel takes, and nothing computed on top. */
const offload = figure(gbps, 'udp', '-s', '4156', '--segments', '15', '-t', '90');
/** One datagram of 64 B a call. */
const oneByOne = figure(millions, 'udp', '-s', '64', '-t', '128');

/** The median of whole round trips, microseconds. */
const roundTrip =
  (transport: Transport, ...options: string[]) =>
  async () =>
    (await vlloop(transport, ['--lat', '-s', '2', ...options])).latencyUs.p50;

const against = (
  name: string,
  unit: string,
  a: () => Promise<number>,
  b: () => Promise<number>,
  target: { atLeast: number } | { atMost: number },
) => {
  return () => paired(name, unit, pairs, a, b, target);
};
const tcpRow = (name: string, a: () => Promise<number>, atLeast: number) =>
  against(`${name} against one TCP stream`, 'Gb/s', a, tcp, { atLeast });
const offloadRow = (name: string, a: () => Promise<number>, atLeast: number) =>
  against(`${name} against bare UDP with GSO and GRO`, 'Gb/s', a, offload, { atLeast });

const write = {
  '4k': op('write', 4 * KIB),
  '64k': op('write', 64 * KIB),
  '1m': op('write', 1024 * KIB, ...LARGE),
};

/** Bandwidth at the initiator and CPU of the target, of a target that sleeps or polls. */
const toTarget = async (busy: boolean) => {
  const options = ['--op', 'write', '-s', String(64 * KIB), ...SECONDS];
  const { client, server } = await vlloopBoth('rdma', options, { serverOptions: busy ? ['--busy'] : [] });
  const { app, nic, kernel } = server.cpuSeconds;
  // The target counts no bytes; it ran from before the omitted start to after the end.
  const moved = (client.bytes / client.seconds) * server.seconds;
  return { gbps: client.goodputGbps, cpu: (app + nic + kernel) / (moved / 1e9) };
};
let sleepingCost: number[] = [];

const cases: Cases = {
  'write-4k': tcpRow('WRITE 4 KiB', write['4k'], 1.5),
  'write-64k': tcpRow('WRITE 64 KiB', write['64k'], 1.2),
  'write-1m': tcpRow('WRITE 1 MiB', write['1m'], 1.6),
  'read-64k': tcpRow('READ 64 KiB', op('read', 64 * KIB), 1),
  'send-64k': tcpRow('SEND 64 KiB', op('send', 64 * KIB), 1),
  'gso-64k': offloadRow('WRITE 64 KiB', write['64k'], 0.6),
  'gso-1m': offloadRow('WRITE 1 MiB', write['1m'], 0.8),
  'mtu-1024': against(
    'WRITE 64 KiB at MTU 1024 against MTU 4096',
    'Gb/s',
    op('write', 64 * KIB, '-m', '1024'),
    op('write', 64 * KIB, '-m', '4096'),
    { atLeast: 0.7 },
  ),
  'many-qps': against(
    'WRITE 64 KiB over 1024 QPs of one process pair against one QP',
    'Gb/s',
    op('write', 64 * KIB, '-q', '1024', '-t', '2', '-r', '1', '-Q', '2'),
    op('write', 64 * KIB),
    { atLeast: 0.5 },
  ),
  'small-list': against(
    'WRITE 64 B in post lists of 32 against UDP of one datagram a call',
    'M/s',
    figure(millions, 'rdma', '--op', 'write', '-s', '64', '-l', '32', '-t', '512', '-Q', '128'),
    oneByOne,
    { atLeast: 12 },
  ),
  'small-single': against(
    'WRITE 64 B posted one by one by ib_write_bw against UDP of one datagram a call',
    'M/s',
    () => perftest('ib_write_bw', ['-s', '64', '-n', '1000000'], 'millionMessages'),
    oneByOne,
    { atLeast: 4 },
  ),
  'ping-poll': against(
    'SEND 2 B ping-pong, ends that poll, against spinning UDP (median round trip)',
    'us',
    roundTrip('rdma', '--op', 'send', '-n', '60000'),
    roundTrip('udp', '-n', '60000'),
    { atMost: 1.15 },
  ),
  'ping-event': against(
    'SEND 2 B ping-pong with events against blocking UDP (median round trip)',
    'us',
    roundTrip('rdma', '--op', 'send', '-e', '-n', '20000'),
    roundTrip('udp', '-e', '-n', '20000'),
    { atMost: 1.2 },
  ),
  'one-core': against(
    'WRITE 2 B ping-pong of ib_write_lat, both ends on one core, against blocking UDP across cores (half round trip)',
    'us',
    () => perftest('ib_write_lat', ['-s', '2', '-n', '5000'], 'typicalUs', { under: ['taskset', '-c', '0'] }),
    async () => (await roundTrip('udp', '-e', '-n', '20000')()) / 2,
    { atMost: 10 },
  ),
  'sleeping-target': async () => {
    sleepingCost = [];
    return paired(
      'WRITE 64 KiB into a sleeping target against a polling one',
      'Gb/s',
      pairs,
      async () => {
        const { gbps: goodput, cpu } = await toTarget(false);
        sleepingCost.push(cpu);
        return goodput;
      },
      async () => (await toTarget(true)).gbps,
      { atLeast: 0.8 },
    );
  },
};

await runCases(cases, chosen, (name, row) => {
  if (name !== 'sleeping-target') return { row };
  const costs = sleepingCost.map((cost) => cost.toFixed(3)).join(' ');
  return { row, remark: `CPU of the sleeping target, s/GB (target at most 0.12): ${costs}` };
});
