/** Counters of what goes well: packets, messages, ACKs. */
import { attempt, postRecv, send, write, type Pair } from '../failures/bench.js';
import { completions } from '../endpoints/verbs.js';
import type { Experiment } from './experiment.js';
import type { HwCountersParams } from './params.js';

/** Posts `count` WRITEs with one call and waits for the last. */
export async function writeTogether(pair: Pair, count: number): Promise<number | null> {
  const { endpoint, qp, cq } = pair.client;
  await endpoint.call('postSendList', {
    qp: qp.qp,
    wrs: Array.from({ length: count }, (_, i) => ({ ...write(pair), signaled: i + 1 === count })),
  });
  const [last] = await completions(endpoint, cq, 1, 'RDMA_WRITE');
  return last?.status ?? null;
}

const SENDS = 5;
/** WRITEs that are posted with one call. */
const TOGETHER = 32;

export const traffic = ({ writes }: HwCountersParams): Experiment[] => [
  {
    group: 'traffic',
    what: `${writes} WRITEs of one packet, one at a time`,
    status: 0,
    moves: [
      { counter: 'sent_pkts', at: 'client', by: writes },
      { counter: 'rcvd_pkts', at: 'server', by: writes },
      { counter: 'acks_sent', at: 'server', by: writes },
    ],
    prepare: async (bench) => {
      const pair = await bench.pair();
      return async () => {
        let status: number | null = 0;
        for (let i = 0; i < writes && status === 0; i++)
          status = (await attempt(pair.client, write(pair))).status;
        return status;
      };
    },
  },
  {
    group: 'traffic',
    what: `${SENDS} SENDs, each with a RECV`,
    status: 0,
    moves: [
      { counter: 'rdma_sends', at: 'client', by: SENDS },
      { counter: 'rdma_recvs', at: 'server', by: SENDS },
    ],
    prepare: async (bench) => {
      const pair = await bench.pair();
      for (let i = 0; i < SENDS; i++) await postRecv(pair);
      return async () => {
        let status: number | null = 0;
        for (let i = 0; i < SENDS && status === 0; i++)
          status = (await attempt(pair.client, send(pair))).status;
        return status;
      };
    },
  },
  {
    group: 'traffic',
    what: `${TOGETHER} WRITEs with one call, each asking for an ACK`,
    status: 0,
    moves: [
      {
        counter: 'ack_deferred',
        at: 'server',
        by: ({ server }) => TOGETHER - (server.acks_sent ?? 0),
      },
    ],
    prepare: async (bench) => {
      const pair = await bench.pair({ depth: TOGETHER });
      return () => writeTogether(pair, TOGETHER);
    },
  },
];
