import { attempt, postRecv, send } from '../bench.js';
import type { FailureCase } from '../case.js';

const QKEY = 0x1234;
/** Time that the lab looks for a datagram that must not come, ms. */
const WATCHED_MS = 100;

export const wrongQkey: FailureCase = {
  id: 'wrong-qkey',
  name: 'A wrong Q_Key',
  symptom: 'The sender’s completion has status 0. The receiver gets nothing.',
  cause: 'The client sends a datagram with another Q_Key than the server’s UD QP has.',
  explanation:
    'A UD completion says that the datagram has left, not that it arrived. The server’s device drops a datagram with a wrong Q_Key and sends no NAK. Its counter shows it.',
  fix: 'Exchange the Q_Key together with GID and QPN.',
  expected: {
    status: 0,
    worked: false,
    counters: [{ side: 'server', name: 'qkey_violations', atLeast: 1 }],
  },
  async run(bench, broken) {
    const pair = await bench.sides({}, {}, { type: 'UD', link: undefined });
    const { client, server } = pair;
    for (const { endpoint, qp } of [client, server])
      await endpoint.call('activateQp', { qp: qp.qp, qkey: QKEY });
    const { ah } = await client.endpoint.call('createAh', { pd: client.pd, gid: server.qp.info.gid });
    bench.made(client.endpoint, 'ah', ah);
    await postRecv(pair);
    const sent = await attempt(client, {
      ...send(pair),
      ah,
      remoteQpn: server.qp.info.qpn,
      remoteQkey: broken ? QKEY + 1 : QKEY,
    });
    const { completions } = await server.endpoint.call('waitCq', {
      cq: server.cq,
      count: 1,
      timeoutMs: broken ? WATCHED_MS : 5000,
    });
    const got = completions[0];
    return {
      ...sent,
      worked: got?.status === 0,
      seen: got
        ? `The server’s RECV completed with ${got.byteLen} B: 40 B for the GRH, and the message.`
        : `The server’s RECV was not used in ${WATCHED_MS} ms.`,
    };
  },
};
