// Two queue pairs in one process, connected to each other.
import { openDevice, type Qp, type QpInfo } from '@verbslab/verbs';

await using device = openDevice();
await using pd = device.allocPd();
await using clientCq = device.createCq({ depth: 16 });
await using serverCq = device.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });

// To do: choose better values. GID index 0 may be empty: INIT to RTR then fails with EINVAL.
const gidIndex = 0;
const timeout = 0;
const minRnrTimer = 0;
const maxRdAtomic = 0;

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
    minRnrTimer,
    maxDestRdAtomic: maxRdAtomic,
  });
  // To do: go to RTS, with timeout, maxRdAtomic, retryCount and rnrRetry.
  // The first PSN (sqPsn) is the one that the peer was told: qp.info().psn.
  console.log(`To do: take QP 0x${qp.qpn.toString(16)} to RTS with timeout ${timeout}.`);
}

connect(client, server.info({ gidIndex }));
connect(server, client.info({ gidIndex }));
console.log(`The client's QP is in ${client.state}, the server's in ${server.state}.`);
