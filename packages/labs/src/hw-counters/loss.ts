/** Counters of packets that were lost, copied or damaged, and of what the devices did about it. */
import { attempt, write } from '../failures/bench.js';
import { RETRY_EXC_ERR } from '../endpoints/wc-statuses.js';
import { first, type Experiment } from './experiment.js';
import type { HwCountersParams } from './params.js';
import { writeTogether } from './traffic.js';

/** 4.096 µs × 2^10: 4.2 ms. */
const SHORT_TIMEOUT = 10;
/** 0.54 s: nothing counts as lost because a machine is busy. */
const LONG_TIMEOUT = 17;
const MTU = 1024;

export const loss = ({ behind, retries }: HwCountersParams): Experiment[] => [
  {
    group: 'loss',
    what: 'A WRITE arrives twice',
    status: 0,
    moves: [{ counter: 'duplicate_request', at: 'server', by: 1 }],
    prepare: async (bench) => {
      const pair = await bench.pair({ timeout: LONG_TIMEOUT });
      await bench.client.call('faults', first('duplicate', pair.server.qp.info.qpn));
      return async () => {
        await attempt(pair.client, write(pair));
        // A WRITE behind the copy, so that the server has seen the copy.
        return (await attempt(pair.client, write(pair))).status;
      };
    },
  },
  {
    group: 'loss',
    what: `The first of ${behind + 1} WRITEs is lost`,
    status: 0,
    moves: [
      { counter: 'out_of_sequence', at: 'server', by: behind },
      { counter: 'out_of_seq_request', at: 'server', by: 1 },
      { counter: 'naks_sent', at: 'server', by: 1 },
      { counter: 'packet_seq_err', at: 'client', by: 1 },
      { counter: 'rcvd_seq_err', at: 'client', by: 1 },
      { counter: 'completer_retry_err', at: 'client', by: 1 },
      { counter: 'retransmitted_pkts', at: 'client', by: behind + 1 },
    ],
    prepare: async (bench) => {
      const pair = await bench.pair({ timeout: LONG_TIMEOUT });
      await bench.client.call('faults', first('drop', pair.server.qp.info.qpn));
      return () => writeTogether(pair, behind + 1);
    },
  },
  {
    group: 'loss',
    what: 'The first of two responses to a READ is lost',
    status: 0,
    moves: [{ counter: 'implied_nak_seq_err', at: 'client', by: 1 }],
    prepare: async (bench) => {
      const settings = { timeout: LONG_TIMEOUT, mtu: MTU } as const;
      const pair = await bench.pair(settings, settings);
      await bench.server.call('faults', first('drop', pair.client.qp.info.qpn));
      return async () =>
        (await attempt(pair.client, { ...write(pair, 2 * MTU), opcode: 'RDMA_READ' })).status;
    },
  },
  {
    group: 'loss',
    what: `No packet arrives, and retry_cnt is ${retries}`,
    status: RETRY_EXC_ERR,
    intends: [{ role: 'client', most: 1, statuses: [RETRY_EXC_ERR] }],
    moves: [
      { counter: 'local_ack_timeout_err', at: 'client', by: retries + 1 },
      { counter: 'completer_retry_err', at: 'client', by: retries },
      { counter: 'retry_exceeded_err', at: 'client', by: 1 },
    ],
    prepare: async (bench) => {
      const pair = await bench.pair({ timeout: SHORT_TIMEOUT, retryCount: retries });
      await bench.client.call('faults', { rules: [{ action: 'drop', qpn: pair.server.qp.info.qpn }] });
      return async () => (await attempt(pair.client, write(pair))).status;
    },
  },
  {
    group: 'loss',
    what: 'A bit of a WRITE is flipped on the way',
    status: 0,
    moves: [{ counter: 'icrc_errors', at: 'server', by: 1 }],
    prepare: async (bench) => {
      const pair = await bench.pair({ timeout: SHORT_TIMEOUT });
      await bench.client.call('faults', first('corrupt', pair.server.qp.info.qpn));
      return async () => (await attempt(pair.client, write(pair))).status;
    },
  },
];
