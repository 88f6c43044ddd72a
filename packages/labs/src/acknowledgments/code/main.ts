// 64 WRITEs one at a time and 64 at once: the ACKs that came back, and the messages that they count.
import { LinkType, RC, summarizePacket } from '@verbslab/roce';
import { openDevice } from '@verbslab/verbs';

const WRITES = 64;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using cq = ctx.createCq({ depth: 128 });
await using client = pd.createQp({ sendCq: cq, maxSendWr: WRITES });
await using server = pd.createQp({ sendCq: cq });
// The PSN wraps after 20 packets.
const psn = 2 ** 24 - 20;
client.connect(server.info(), { psn });
server.connect({ ...client.info(), psn });
await using source = pd.regMr(8, ['LOCAL_WRITE']);
await using target = pd.regMr(8, ['LOCAL_WRITE', 'REMOTE_WRITE']);
const write = { opcode: 'RDMA_WRITE' as const, local: source.sge(), remote: target.remote() };

for (const inFlight of [1, WRITES]) {
  ctx.extensions.tapStart();
  for (let posted = 0; posted < WRITES; posted += inFlight) {
    client.postSend(Array.from({ length: inFlight }, () => write));
    await cq.wait(inFlight);
  }
  ctx.extensions.tapStop();
  // Both ends are in this process: each packet is captured when it is sent and when it is received.
  const sent = ctx.extensions
    .tapRead()
    .packets.filter(({ direction }) => direction === 'tx')
    .map(({ bytes }) => summarizePacket(bytes, LinkType.RAW));
  const acks = sent.filter(({ opcode }) => opcode === RC.acknowledge);
  // A WRITE that is sent again is acknowledged again, with the same PSN.
  const answered = new Set(acks.map(({ psn: at }) => at)).size;
  const wraps = sent.some(({ psn: at }) => at === 0);
  console.log(
    `${inFlight} in flight: ${WRITES} WRITEs, ${answered === WRITES ? 'as many' : 'fewer'} ACKs, last MSN ${acks.at(-1)?.msn}, PSN 0: ${wraps ? 'yes' : 'no'}`,
  );
}
