// A SEND, and the receive that takes it.
import { openDevice } from '@verbslab/verbs';

await using device = openDevice();
await using pd = device.allocPd();
await using clientCq = device.createCq({ depth: 16 });
await using serverCq = device.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
// To do: min_rnr_timer 0 is not the shortest time. Choose a better one.
client.connect(server.info(), { minRnrTimer: 0 });
server.connect(client.info(), { minRnrTimer: 0 });

// To do: nothing here needs remote access. Give each region only the rights that it needs.
await using message = pd.regMr(64);
await using buffer = pd.regMr(64);

message.bytes.set(Buffer.from('Hello, RDMA'));

// To do: post a receive at the server, then a SEND of the 11 bytes at the client. Wait for both completions.
console.log(`The server's buffer has ${buffer.length} bytes, all of them 0.`);
