/** Counters of datagrams that a device drops or marks. The sender’s completion always says SUCCESS. */
import { attempt, postRecv, send, type Bench, type Side } from '../failures/bench.js';
import { completions } from '../endpoints/verbs.js';
import type { Experiment, Move } from './experiment.js';

const QKEY = 0x1234;
/** The two ECN bits of the traffic class: congestion experienced (RFC 3168). */
const CONGESTION_EXPERIENCED = 3;

interface Target {
  client: Side;
  server: Side;
  /** Destination, where it is not the server’s QP. */
  qpn?: number;
  qkey?: number;
  trafficClass?: number;
  /** A RECV waits for the odd datagram. */
  recv?: boolean;
  /** RECV completions that the odd datagram makes. */
  arrives?: number;
}

async function ends(bench: Bench): Promise<{ client: Side; server: Side }> {
  const pair = await bench.sides({}, {}, { type: 'UD', link: undefined });
  for (const { endpoint, qp } of [pair.client, pair.server])
    await endpoint.call('activateQp', { qp: qp.qp, qkey: QKEY });
  return pair;
}

const datagram = (
  what: string,
  moves: Move[],
  target: (bench: Bench) => Promise<Target>,
  group: Experiment['group'] = 'refused',
): Experiment => ({
  group,
  what,
  status: 0,
  moves,
  prepare: async (bench) => {
    const { client, server, qpn, qkey = QKEY, trafficClass, recv = true, arrives = 0 } = await target(bench);
    const address = async (more: object) => {
      const { ah } = await client.endpoint.call('createAh', {
        pd: client.pd,
        gid: server.qp.info.gid,
        ...more,
      });
      bench.made(client.endpoint, 'ah', ah);
      return ah;
    };
    const odd = await address(trafficClass === undefined ? {} : { trafficClass });
    const plain = await address({});
    const pair = { client, server };
    if (recv) await postRecv(pair);
    const to = (ah: number, remoteQpn: number, remoteQkey: number) => ({
      ...send(pair),
      ah,
      remoteQpn,
      remoteQkey,
    });
    return async () => {
      const { status } = await attempt(client, to(odd, qpn ?? server.qp.info.qpn, qkey));
      if (arrives > 0) await completions(server.endpoint, server.cq, arrives, 'RECV');
      // Datagrams keep their order on this path: once the next one is there, the server has seen the odd one.
      await postRecv(pair);
      await attempt(client, to(plain, server.qp.info.qpn, QKEY));
      await completions(server.endpoint, server.cq, 1, 'RECV');
      return status;
    };
  },
});

const atServer = (counter: string, by = 1): Move[] => [{ counter, at: 'server', by }];

export const MARKED_DATAGRAM = 'A datagram marked as congestion experienced (ECN)';

export const DATAGRAMS: Experiment[] = [
  datagram(
    MARKED_DATAGRAM,
    // A CNP is for the peer of a connected QP: see native/uroce/transport/engine.cc.
    [...atServer('np_ecn_marked_roce_packets'), ...atServer('np_cnp_sent', 0)],
    async (bench) => ({ ...(await ends(bench)), trafficClass: CONGESTION_EXPERIENCED, arrives: 1 }),
    'traffic',
  ),
  datagram(
    'A datagram without a RECV',
    atServer('out_of_buffer'),
    async (bench) => ({ ...(await ends(bench)), recv: false }),
    'receive',
  ),
  datagram('A datagram with a wrong Q_Key', atServer('qkey_violations'), async (bench) => ({
    ...(await ends(bench)),
    qkey: QKEY + 1,
    recv: false,
  })),
  datagram('A datagram to a QP that was destroyed', atServer('unknown_qp_pkts'), async (bench) => {
    const [gone, pair] = [await ends(bench), await ends(bench)];
    const { endpoint, qp } = gone.server;
    await endpoint.call('destroy', { what: 'qp', handle: qp.qp });
    return { ...pair, qpn: qp.info.qpn, recv: false };
  }),
  datagram('A datagram to an RC QP', atServer('wrong_transport_pkts'), async (bench) => {
    const connected = await bench.pair();
    return { ...(await ends(bench)), qpn: connected.server.qp.info.qpn, recv: false };
  }),
  datagram('A datagram to a QP in RESET', atServer('wrong_state_pkts'), async (bench) => {
    const idle = await bench.sides({}, {}, { type: 'UD', link: undefined });
    return { ...(await ends(bench)), qpn: idle.server.qp.info.qpn, recv: false };
  }),
];
