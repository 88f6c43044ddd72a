// Each message takes one RECV, in order. With credits, a fast client never runs out of them.
import { openDevice, type Cq, type WorkCompletion } from '@verbslab/verbs';

const BUFFER = 16;
const RECVS = 4;
const MESSAGES = 12;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using clientCq = ctx.createCq({ depth: 16 });
await using serverCq = ctx.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
// With rnr_retry 0 a message that finds no RECV fails at once.
client.connect(server.info(), { rnrRetry: 0 });
server.connect(client.info());
await using clientMr = pd.regMr(BUFFER + 1, ['LOCAL_WRITE']);
await using serverMr = pd.regMr(RECVS * BUFFER, ['LOCAL_WRITE']);

/** Sends the first bytes of the client's memory. A SEND names no address at the server. */
function sendBytes(length: number): void {
  client.postSend({ opcode: 'SEND', local: clientMr.sge(0, length) });
}

/** RECV number `id` has buffer `id` of the server's memory. */
function giveRecv(id: number): void {
  server.postRecv({ wrId: id, local: serverMr.sge(id * BUFFER, BUFFER) });
}

/** The next completion, of whatever status. `wait` of a CQ rejects when a request fails. */
async function nextCompletion(cq: Cq): Promise<WorkCompletion> {
  for await (const wc of cq.completions()) return wc;
  throw new Error('The completion queue was closed.');
}

// The RECVs must be there before the messages. The completion says which RECV, and how long the message is.
const texts = ['one', 'two longer', ''];
for (let id = 1; id <= texts.length; id++) giveRecv(id);
for (const text of texts) {
  clientMr.bytes.set(Buffer.from(text));
  sendBytes(text.length);
  await clientCq.wait();
  const { wrId, byteLength } = await nextCompletion(serverCq);
  const start = Number(wrId) * BUFFER;
  const got = Buffer.from(serverMr.bytes.subarray(start, start + byteLength)).toString();
  console.log(`RECV ${wrId}: ${byteLength} bytes "${got}"`);
}

// A credit for each RECV. Between two hosts, a message or a WRITE of the server brings credits back.
let credits = 0;
let sent = 0;
let received = 0;
for (; credits < RECVS; credits++) giveRecv(credits);
while (received < MESSAGES) {
  for (; credits > 0 && sent < MESSAGES; credits--, sent++) sendBytes(BUFFER);
  const [wc] = await serverCq.wait();
  // The server has read the buffer, and posts it again.
  giveRecv(Number(wc?.wrId));
  credits++;
  received++;
  await clientCq.wait();
}
console.log(`${MESSAGES} messages through ${RECVS} RECVs with credits: ${received} arrived`);

// A message that is too long is not cut off: both ends get an error, and the connection is gone.
sendBytes(BUFFER + 1);
const atClient = await nextCompletion(clientCq);
const atServer = await nextCompletion(serverCq);
console.log(
  `1 byte too long: status ${atClient.statusCode} at the client, ${atServer.statusCode} at the server`,
);
