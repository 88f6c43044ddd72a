/** Counters of congestion, with a mark from the fault injector in the place of a switch. */
import { attempt, write } from '../failures/bench.js';
import { first, type Experiment } from './experiment.js';

export const CONGESTION: Experiment[] = [
  {
    group: 'traffic',
    what: 'A WRITE arrives with a congestion mark (ECN), and a CNP answers it',
    status: 0,
    moves: [
      { counter: 'np_ecn_marked_roce_packets', at: 'server', by: 1 },
      { counter: 'np_cnp_sent', at: 'server', by: 1 },
      { counter: 'rp_cnp_handled', at: 'client', by: 1 },
    ],
    prepare: async (bench) => {
      const pair = await bench.pair();
      await bench.client.call('faults', first('mark', pair.server.qp.info.qpn));
      return async () => {
        await attempt(pair.client, write(pair));
        // The CNP left before the ACK of this one.
        return (await attempt(pair.client, write(pair))).status;
      };
    },
  },
];
