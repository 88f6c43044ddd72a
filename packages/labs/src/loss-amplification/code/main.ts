// A lost packet with 1, 4, 16 and 64 WRITEs in flight, and the packets that are sent again.
import { openDevice } from '@verbslab/verbs';

const SIZE = 1024;
const WRITES = 256;
const LOST = 128;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using cq = ctx.createCq({ depth: 256 });
await using source = pd.regMr(SIZE, ['LOCAL_WRITE']);
await using target = pd.regMr(SIZE, ['LOCAL_WRITE', 'REMOTE_WRITE']);

for (const window of [1, 4, 16, 64]) {
  await using client = pd.createQp({ sendCq: cq, maxSendWr: window });
  await using server = pd.createQp({ sendCq: cq });
  // 1.07 s until it sends again unasked: nothing counts as lost because a machine is busy.
  client.connect(server.info(), { timeout: 18 });
  server.connect(client.info());
  const before = ctx.extensions.counters().retransmitted_pkts ?? 0;
  // The 128th packet to the server is dropped, once.
  ctx.extensions.setFaults({ rules: [{ action: 'drop', qpn: server.qpn, iter: LOST, times: 1 }] });
  for (let posted = 0, finished = 0; finished < WRITES;) {
    for (; posted < WRITES && posted - finished < window; posted++)
      client.postSend({ opcode: 'RDMA_WRITE', local: source.sge(), remote: target.remote() });
    finished += (await cq.wait()).length;
  }
  const { dropped } = ctx.extensions.faults();
  const again = (ctx.extensions.counters().retransmitted_pkts ?? 0) - before;
  const fits = again >= 1 && again <= window;
  console.log(
    `${window} in flight, ${dropped} lost: ${again} sent again, at most a window: ${fits ? 'yes' : 'no'}`,
  );
}
