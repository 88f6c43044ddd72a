/** Counters of receivers that were not ready, and of requests that a device refuses. */
import { attempt, REGION, send, write } from '../failures/bench.js';
import { LOC_PROT_ERR, RNR_RETRY_EXC_ERR } from '../endpoints/wc-statuses.js';
import type { Experiment } from './experiment.js';
import type { HwCountersParams } from './params.js';

/** Code of the timer: 0.64 ms. */
const RNR_TIMER = 12;

export const receive = ({ retries }: HwCountersParams): Experiment[] => [
  {
    group: 'receive',
    what: `A SEND without a RECV, and rnr_retry is ${retries}`,
    status: RNR_RETRY_EXC_ERR,
    intends: [{ role: 'client', most: 1, statuses: [RNR_RETRY_EXC_ERR] }],
    moves: [
      { counter: 'send_rnr_err', at: 'server', by: retries + 1 },
      { counter: 'naks_sent', at: 'server', by: retries + 1 },
      { counter: 'rcvd_rnr_err', at: 'client', by: retries + 1 },
      { counter: 'rnr_nak_retry_err', at: 'client', by: retries },
      { counter: 'retry_rnr_exceeded_err', at: 'client', by: 1 },
    ],
    prepare: async (bench) => {
      const pair = await bench.pair({ rnrRetry: retries, timeout: 17 }, { minRnrTimer: RNR_TIMER });
      return async () => (await attempt(pair.client, send(pair))).status;
    },
  },
  {
    group: 'refused',
    what: 'A WRITE of memory beyond its region',
    status: LOC_PROT_ERR,
    intends: [{ role: 'client', most: 1, statuses: [LOC_PROT_ERR] }],
    moves: [{ counter: 'send_err', at: 'client', by: 1 }],
    prepare: async (bench) => {
      const pair = await bench.pair();
      const local = [{ mr: pair.client.mr.mr, offset: REGION - 32, length: 64 }];
      return async () => (await attempt(pair.client, { ...write(pair), local })).status;
    },
  },
];
