// The device with its packets in UDP sockets, through the kernel.
import { paired, type Row } from '../lib/paired.js';
import { perftest } from '../lib/perftest.js';
import { vlloopBoth } from '../lib/vlloop.js';
import { KIB, SECONDS, offload, oneByOne, over, roundTrip } from './measures.js';
import { rows, type DeviceCases } from './rows.js';

const link = 'udp';
const { op, write, manyQps, oneDeepQp, smallList, pingPolling } = over(link);

/** Bandwidth at the initiator and CPU of the target, of a target that sleeps or polls. */
async function toTarget(busy: boolean): Promise<{ gbps: number; cpu: number }> {
  const options = ['--op', 'write', '-s', String(64 * KIB), ...SECONDS];
  const serverOptions = busy ? ['--busy'] : [];
  const { client, server } = await vlloopBoth('rdma', options, { serverOptions, link });
  const { app, nic, kernel } = server.cpuSeconds;
  // The target counts no bytes; it ran from before the omitted start to after the end.
  const moved = (client.bytes / client.seconds) * server.seconds;
  return { gbps: client.goodputGbps, cpu: (app + nic + kernel) / (moved / 1e9) };
}

/** CPU of the sleeping target, s/GB, of each run of the row. */
export const sleepingCost: number[] = [];

async function sleepingTarget(pairs: number): Promise<Row> {
  sleepingCost.length = 0;
  const sleeping = async () => {
    const { gbps, cpu } = await toTarget(false);
    sleepingCost.push(cpu);
    return gbps;
  };
  const polling = async () => (await toTarget(true)).gbps;
  const name = 'UDP: WRITE 64 KiB into a sleeping target against a polling one';
  return paired(name, 'Gb/s', pairs, sleeping, polling, { atLeast: 0.8 });
}

export function udpCases(pairs: number): DeviceCases {
  const { against, againstTcp } = rows(pairs);
  const offloadRow = (name: string, a: () => Promise<number>, atLeast: number) =>
    against(`UDP: ${name} against bare UDP with GSO and GRO`, 'Gb/s', a, offload, { atLeast });
  return {
    'write-4k': againstTcp('UDP: WRITE 4 KiB', write['4k'], 0.9),
    'write-64k': againstTcp('UDP: WRITE 64 KiB', write['64k'], 1),
    'write-1m': againstTcp('UDP: WRITE 1 MiB', write['1m'], 1),
    'read-64k': againstTcp('UDP: READ 64 KiB', op('read', 64 * KIB), 1),
    'send-64k': againstTcp('UDP: SEND 64 KiB', op('send', 64 * KIB), 1),
    'gso-64k': offloadRow('WRITE 64 KiB', write['64k'], 0.6),
    'gso-1m': offloadRow('WRITE 1 MiB', write['1m'], 0.8),
    'mtu-1024': against(
      'UDP: WRITE 64 KiB at MTU 1024 against MTU 4096',
      'Gb/s',
      op('write', 64 * KIB, '-m', '1024'),
      op('write', 64 * KIB, '-m', '4096'),
      { atLeast: 0.7 },
    ),
    'many-qps': against(
      'UDP: WRITE 64 KiB over 1024 QPs of one process pair against one QP with as much memory and as many requests under way',
      'Gb/s',
      manyQps,
      oneDeepQp,
      { atLeast: 0.5 },
    ),
    'small-list': against(
      'UDP: WRITE 64 B in post lists of 32 against UDP of one datagram a call',
      'M/s',
      smallList,
      oneByOne,
      { atLeast: 12 },
    ),
    'small-single': against(
      'UDP: WRITE 64 B posted one by one by ib_write_bw against UDP of one datagram a call',
      'M/s',
      () => perftest('ib_write_bw', ['-s', '64', '-n', '1000000'], 'millionMessages', { link }),
      oneByOne,
      { atLeast: 4 },
    ),
    'ping-poll': against(
      'UDP: SEND 2 B ping-pong, ends that poll, against spinning UDP (median round trip)',
      'us',
      pingPolling,
      roundTrip('udp', ['-n', '60000']),
      { atMost: 1.15 },
    ),
    'ping-event': against(
      'UDP: SEND 2 B ping-pong with events against blocking UDP (median round trip)',
      'us',
      roundTrip('rdma', ['--op', 'send', '-e', '-n', '20000'], { link }),
      roundTrip('udp', ['-e', '-n', '20000']),
      { atMost: 1.2 },
    ),
    'one-core': against(
      'UDP: WRITE 2 B ping-pong of ib_write_lat, both ends on one core, against blocking UDP across cores (half round trip)',
      'us',
      () =>
        perftest('ib_write_lat', ['-s', '2', '-n', '5000'], 'typicalUs', {
          under: ['taskset', '-c', '0'],
          link,
        }),
      async () => (await roundTrip('udp', ['-e', '-n', '20000'])()) / 2,
      { atMost: 10 },
    ),
    'sleeping-target': () => sleepingTarget(pairs),
  };
}
