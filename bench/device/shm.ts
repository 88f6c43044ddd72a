// The device with its packets in rings of shared memory, around the kernel.
import { perftest } from '../lib/perftest.js';
import { senders, wakeUps } from '../lib/vlcost.js';
import { vlloop, vlloopBoth, type LoopFigures } from '../lib/vlloop.js';
import { KIB, SECONDS, oneByOne, over, roundTrip } from './measures.js';
import { rows, type DeviceCases } from './rows.js';

const link = 'shm';
const { op, write, manyQps, oneDeepQp, smallList, pingPolling } = over(link);
/** Messages at a rate at which their target sleeps between them. */
const SELDOM = { count: 2000, perSecond: 1000 };

/** The kernel's share of the CPU time of both ends, which poll, in percent. */
async function kernelShare(): Promise<number> {
  const options = ['--op', 'write', '-s', String(64 * KIB), ...SECONDS];
  const { client, server } = await vlloopBoth('rdma', options, { serverOptions: ['--busy'], link });
  const sum = (of: (cpu: LoopFigures['cpuSeconds']) => number) =>
    of(client.cpuSeconds) + of(server.cpuSeconds);
  return (100 * sum(({ kernel }) => kernel)) / sum(({ app, nic, kernel }) => app + nic + kernel);
}

const writeLatency = (figure: 'typicalUs' | 'p99Us') => () =>
  perftest('ib_write_lat', ['-s', '2', '-n', '100000'], figure, { link });

/** Microseconds, of a client that polls and has one message under way. */
async function writeToSleeper(): Promise<number> {
  const one = ['-s', '2', '-t', '1', '-Q', '1'];
  const seldom = ['-n', String(SELDOM.count), '--rate', String(SELDOM.perSecond)];
  return (await vlloop('rdma', ['--op', 'write', ...one, ...seldom], { link })).latencyUs.p50;
}

/**
 * Jain's index of the bytes that each of eight processes wrote into one: 1 where all wrote the same, 1/8 where one
 * wrote all.
 */
async function fairness(): Promise<number> {
  const { bytes, outOfSequence } = await senders(8, 2, link);
  if (outOfSequence !== 0) throw new Error(`packets were lost: ${outOfSequence} arrived behind a gap`);
  const sum = bytes.reduce((total, value) => total + value, 0);
  const squares = bytes.reduce((total, value) => total + value * value, 0);
  return (sum * sum) / (bytes.length * squares);
}

export function shmCases(pairs: number): DeviceCases {
  const { against, againstTcp, alone } = rows(pairs);
  return {
    'shm-write-4k': againstTcp('shm: WRITE 4 KiB', write['4k'], 1.5),
    'shm-write-64k': againstTcp('shm: WRITE 64 KiB', write['64k'], 2),
    'shm-write-1m': againstTcp('shm: WRITE 1 MiB', write['1m'], 2),
    'shm-read-64k': againstTcp('shm: READ 64 KiB', op('read', 64 * KIB), 1.8),
    'shm-send-64k': againstTcp('shm: SEND 64 KiB', op('send', 64 * KIB), 1.8),
    'shm-small-single': against(
      'shm: WRITE 64 B posted one by one by ib_write_bw against UDP of one datagram a call',
      'M/s',
      () => perftest('ib_write_bw', ['-s', '64', '-n', '5000000'], 'millionMessages', { link }),
      oneByOne,
      { atLeast: 15 },
    ),
    'shm-small-list': against(
      'shm: WRITE 64 B in post lists of 32 against UDP of one datagram a call',
      'M/s',
      smallList,
      oneByOne,
      { atLeast: 40 },
    ),
    'shm-ping-poll': against(
      'shm: SEND 2 B ping-pong, ends that poll, against spinning TCP (median round trip)',
      'us',
      pingPolling,
      roundTrip('tcp', ['-n', '60000']),
      { atMost: 0.2 },
    ),
    'shm-latency': alone('shm: ib_write_lat 2 B, typical', 'us', writeLatency('typicalUs'), { atMost: 0.8 }),
    'shm-latency-p99': alone('shm: ib_write_lat 2 B, 99th percentile', 'us', writeLatency('p99Us'), {
      atMost: 10,
    }),
    'shm-kernel-share': alone(
      "shm: the kernel's share of both ends' CPU time, WRITE 64 KiB, both polling",
      '%',
      kernelShare,
      { atMost: 3 },
    ),
    'shm-wake-up': against(
      'shm: WRITE 2 B into a process that sleeps, posted to completed, against waking it by an eventfd (median)',
      'us',
      writeToSleeper,
      async () => (await wakeUps(SELDOM.count, SELDOM.perSecond)).wakeUpUs,
      { atMost: 1.2 },
    ),
    'shm-many-qps': against(
      'shm: WRITE 64 KiB over 1024 QPs of one process pair against one QP with as much memory and as many requests under way',
      'Gb/s',
      manyQps,
      oneDeepQp,
      { atLeast: 0.8 },
    ),
    'shm-eight-senders': alone(
      'shm: fairness index of eight processes that write 64 KiB messages into one',
      '',
      fairness,
      { atLeast: 0.9 },
    ),
  };
}
