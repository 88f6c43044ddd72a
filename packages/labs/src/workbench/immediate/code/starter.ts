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

// To do: no memory is needed here.
await using buffer = pd.regMr(64, ['LOCAL_WRITE']);
server.postRecv({ wrId: 1, local: buffer.sge() });

// To do: send the number 0x01020304 as immediate, not as four bytes of payload.
client.postSend({ opcode: 'SEND', wrId: 2, local: buffer.sge(0, 4) });

await clientCq.wait();
const [received] = await serverCq.wait();
console.log(`The server received immediate ${received?.immediate} and ${received?.byteLength} bytes.`);
