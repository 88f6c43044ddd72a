// A READ from the middle of the server's memory.
import { openDevice } from '@verbslab/verbs';

await using device = openDevice();
await using pd = device.allocPd();
await using clientCq = device.createCq({ depth: 16 });
await using serverCq = device.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
// To do: with these two at 0, the device accepts no READ.
client.connect(server.info(), { maxRdAtomic: 0, maxDestRdAtomic: 0 });
server.connect(client.info(), { maxRdAtomic: 0, maxDestRdAtomic: 0 });

// To do: let the peer read here, and nothing else.
await using source = pd.regMr(4096);
await using copy = pd.regMr(512, ['LOCAL_WRITE']); // the device writes into it
for (let i = 0; i < source.length; i++) source.bytes[i] = i % 251;

// To do: READ 512 bytes from offset 2048 of source into copy, and wait for the completion.
console.log(`The first byte is ${copy.bytes[0]}, and should be ${2048 % 251}.`);
