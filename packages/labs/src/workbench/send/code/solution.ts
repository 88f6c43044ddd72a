// A SEND, and the receive that takes it.
import { openDevice } from '@verbslab/verbs';

await using device = openDevice();
await using pd = device.allocPd();
await using clientCq = device.createCq({ depth: 16 });
await using serverCq = device.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
client.connect(server.info());
server.connect(client.info());

// The device writes into the server's buffer. No peer may reach either of them.
await using message = pd.regMr(64, ['LOCAL_WRITE']);
await using buffer = pd.regMr(64, ['LOCAL_WRITE']);

server.postRecv({ wrId: 1, local: buffer.sge() });

const text = Buffer.from('Hello, RDMA');
message.bytes.set(text);
client.postSend({ opcode: 'SEND', wrId: 2, local: message.sge(0, text.length) });

await clientCq.wait();
const [received] = await serverCq.wait();
const length = received?.byteLength ?? 0;
console.log(`The server received: ${Buffer.from(buffer.bytes.subarray(0, length)).toString()}`);
