// Two queue pairs in one process, connected to each other.
import { openDevice, type Qp, type QpInfo } from '@verbslab/verbs';

await using device = openDevice();
await using pd = device.allocPd();
await using clientCq = device.createCq({ depth: 16 });
await using serverCq = device.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });

// The GID table has an entry for each address and RoCE version. gid() takes RoCE v2 with an IPv4 address.
const gidIndex = device.gid().index;

function connect(qp: Qp, peer: QpInfo): void {
  qp.modify({
    state: 'INIT',
    pkeyIndex: 0,
    port: 1,
    access: ['REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC'],
  });
  qp.modify({
    state: 'RTR',
    address: { gid: peer.gid, gidIndex },
    pathMtu: peer.mtu,
    destQpn: peer.qpn,
    rqPsn: peer.psn,
    minRnrTimer: 12, // 0.64 ms
    maxDestRdAtomic: 1,
  });
  qp.modify({
    state: 'RTS',
    sqPsn: qp.info().psn, // the PSN that the peer was told
    timeout: 14, // 67 ms
    retryCount: 7,
    rnrRetry: 7, // forever
    maxRdAtomic: 1,
  });
}

connect(client, server.info({ gidIndex }));
connect(server, client.info({ gidIndex }));
console.log(`The client's QP is in ${client.state}, the server's in ${server.state}.`);
