// A message of no bytes that carries an immediate.
import { openDevice } from '@verbslab/verbs';

await using device = openDevice();
await using pd = device.allocPd();
await using clientCq = device.createCq({ depth: 16 });
await using serverCq = device.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
client.connect(server.info());
server.connect(client.info());

// A receive without a buffer: the immediate comes in the completion.
server.postRecv({ wrId: 1 });
client.postSend({ opcode: 'SEND_WITH_IMM', wrId: 2, immediate: 0x01020304 });

await clientCq.wait();
const [received] = await serverCq.wait();
console.log(`The server received immediate 0x${received?.immediate?.toString(16).padStart(8, '0')}.`);
