// A WRITE into the middle of the server's memory.
import { openDevice } from '@verbslab/verbs';

await using device = openDevice();
await using pd = device.allocPd();
await using clientCq = device.createCq({ depth: 16 });
await using serverCq = device.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
client.connect(server.info());
server.connect(client.info());

await using source = pd.regMr(256, []); // the device only reads it
// To do: let the peer write here, and nothing else.
await using target = pd.regMr(4096);
for (let i = 0; i < source.length; i++) source.bytes[i] = i;

// Address and rkey: the server would tell them to the client.
const { addr, rkey } = target.remote();

// To do: WRITE all 256 bytes of source to offset 1024 of target, and wait for the completion.
console.log(`The target is at 0x${addr.toString(16)}, with rkey 0x${rkey.toString(16)}.`);
