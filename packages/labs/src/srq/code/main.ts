// Two clients send to one pool of RECVs. An event says when the pool runs low.
import { openDevice } from '@verbslab/verbs';

const BUFFER = 16;
const RECVS = 4;
const LIMIT = 2;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using clientCq = ctx.createCq({ depth: 16 });
await using serverCq = ctx.createCq({ depth: 16 });
await using srq = pd.createSrq({ maxWr: RECVS });
await using client1 = pd.createQp({ sendCq: clientCq });
await using client2 = pd.createQp({ sendCq: clientCq });
// Queue pairs without a receive queue of their own.
await using server1 = pd.createQp({ sendCq: serverCq, srq });
await using server2 = pd.createQp({ sendCq: serverCq, srq });
const connections = [
  [client1, server1],
  [client2, server2],
] as const;
for (const [client, server] of connections) {
  client.connect(server.info());
  server.connect(client.info());
}
await using pool = pd.regMr(RECVS * BUFFER, ['LOCAL_WRITE']);
await using text = pd.regMr(BUFFER, ['LOCAL_WRITE']);
for (let id = 0; id < RECVS; id++) srq.postRecv({ wrId: id, local: pool.sge(id * BUFFER, BUFFER) });

// The device raises an event, once, when fewer RECVs than this are left. It then sets the limit to 0.
srq.modify({ limit: LIMIT });
const event = ctx.events().next();

async function sendText(from: typeof client1, message: string): Promise<void> {
  text.bytes.set(Buffer.from(message));
  from.postSend({ opcode: 'SEND', local: text.sge(0, message.length) });
  await clientCq.wait();
}

await sendText(client1, 'one');
await sendText(client2, 'two');
console.log(`${RECVS - 2} RECVs left, the limit is ${srq.query().limit}`);
await sendText(client1, 'three');
const { value } = await event;
const reached = value?.type === 'SRQ_LIMIT_REACHED' && value.srq === srq;
console.log(`${RECVS - 3} RECV left, limit reached: ${reached ? 'yes' : 'no'}`);
console.log(`the limit is ${srq.query().limit}`);

// wrId names the RECV, and so the buffer. qpn names the queue pair, and so the client.
for (const { wrId, byteLength, qpn } of await serverCq.wait(3)) {
  const start = Number(wrId) * BUFFER;
  const message = Buffer.from(pool.bytes.subarray(start, start + byteLength)).toString();
  console.log(`RECV ${wrId}: "${message}" of client ${qpn === server1.qpn ? 1 : 2}`);
}
