// A datagram arrives after a 40-byte GRH, and the receiver uses what it got to answer.
import { GRH_BYTES, openDevice } from '@verbslab/verbs';

const QKEY = 0x2222;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using clientCq = ctx.createCq({ depth: 16 });
await using serverCq = ctx.createCq({ depth: 16 });
await using client = pd.createQp({ type: 'UD', sendCq: clientCq });
await using server = pd.createQp({ type: 'UD', sendCq: serverCq });
// A UD queue pair has no peer: it goes to RTS with a Q_Key and a first PSN.
client.activate({ qkey: QKEY });
server.activate({ qkey: QKEY });
await using clientMr = pd.regMr(512, ['LOCAL_WRITE']);
await using serverMr = pd.regMr(512, ['LOCAL_WRITE']);

// The receiver's buffer must be 40 bytes larger than the message.
server.postRecv({ wrId: 1, local: serverMr.sge(0, 256) });
clientMr.bytes.set(Buffer.from('Hello'));
await using toServer = pd.createAh({ gid: ctx.gid().gid });
// Each datagram names its path (the address handle), the QPN and the Q_Key.
const way = { ah: toServer, remoteQpn: server.qpn, remoteQkey: QKEY };
client.postSend({ opcode: 'SEND', local: clientMr.sge(0, 5), ...way });
await clientCq.wait();

const [wc] = await serverCq.wait();
if (!wc) throw new Error('No datagram arrived.');
const payload = serverMr.bytes.subarray(GRH_BYTES, wc.byteLength);
console.log(`byte_len ${wc.byteLength} = ${GRH_BYTES} of GRH + ${payload.length} of payload`);
console.log(`payload at offset ${GRH_BYTES}: ${Buffer.from(payload).toString()}`);
console.log(`sender's QPN is in the completion: ${wc.sourceQpn === client.qpn ? 'yes' : 'no'}`);

// The completion and the GRH have everything that an answer needs.
await using back = pd.createAhFrom(wc, serverMr.bytes);
client.postRecv({ wrId: 1, local: clientMr.sge(256) });
serverMr.bytes.set(Buffer.from('Welcome'), 256);
const wayBack = { ah: back, remoteQpn: wc.sourceQpn, remoteQkey: QKEY };
server.postSend({ opcode: 'SEND', local: serverMr.sge(256, 7), ...wayBack });
await serverCq.wait();
const [answer] = await clientCq.wait();
const heard = clientMr.bytes.subarray(256 + GRH_BYTES, 256 + (answer?.byteLength ?? 0));
console.log(`answer: ${Buffer.from(heard).toString()}`);
