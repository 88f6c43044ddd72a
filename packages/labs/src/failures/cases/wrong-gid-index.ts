import { attempt, refusal, write } from '../bench.js';
import type { FailureCase } from '../case.js';

/** The last that fits the field; tables of ports are shorter. */
const NO_INDEX = 255;

export const wrongGidIndex: FailureCase = {
  id: 'wrong-gid-index',
  name: 'A wrong GID index',
  symptom: 'ibv_modify_qp to RTR fails. No packet is sent.',
  cause: 'The address vector names a GID index that the port’s table does not have.',
  explanation:
    'sgid_index picks the source address of each packet from the port’s GID table. The table of another machine has other entries at the same index, so an index that was right there may be empty here: ibv_modify_qp returns EINVAL.',
  fix: 'Search the GID table for the address that you want. Do not copy an index from another machine.',
  expected: { status: null, refused: { call: 'ibv_modify_qp', errno: 'EINVAL' }, noPackets: true },
  async run(bench, broken) {
    const pair = await bench.sides();
    const { client, server } = pair;
    const info = server.qp.info;
    const mtu = Math.min(client.qp.info.mtu, info.mtu) as typeof info.mtu;
    await bench.toInit(client);
    const errno = await refusal(
      client.endpoint.call('modifyQp', {
        qp: client.qp.qp,
        attrs: {
          state: 'RTR',
          remoteGid: info.gid,
          gidIndex: broken ? NO_INDEX : client.qp.info.gidIndex,
          pathMtu: mtu,
          destQpn: info.qpn,
          rqPsn: info.psn,
          maxDestRdAtomic: 1,
          minRnrTimer: 12,
        },
      }),
    );
    if (errno !== null)
      return { status: null, errno, elapsedNs: null, worked: false, seen: 'The client’s QP stays in INIT.' };
    await client.endpoint.call('modifyQp', {
      qp: client.qp.qp,
      attrs: {
        state: 'RTS',
        sqPsn: client.qp.info.psn,
        timeout: 14,
        retryCount: 7,
        rnrRetry: 7,
        maxRdAtomic: 1,
      },
    });
    await bench.connectSide(server, client);
    await bench.settle(pair.client, pair.server);
    return attempt(client, write(pair));
  },
};
