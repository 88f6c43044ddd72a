// A READ from the middle of the server's memory.
import { openDevice } from '@verbslab/verbs';

await using device = openDevice();
await using pd = device.allocPd();
await using clientCq = device.createCq({ depth: 16 });
await using serverCq = device.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
client.connect(server.info());
server.connect(client.info());

await using source = pd.regMr(4096, ['REMOTE_READ']);
await using copy = pd.regMr(512, ['LOCAL_WRITE']); // the device writes into it
for (let i = 0; i < source.length; i++) source.bytes[i] = i % 251;

client.postSend({ opcode: 'RDMA_READ', wrId: 1, local: copy.sge(), remote: source.remote(2048) });
await clientCq.wait();
console.log(`The first byte is ${copy.bytes[0]}, and should be ${2048 % 251}.`);
