// Atomics on a counter in the server's memory.
import { openDevice } from '@verbslab/verbs';

await using device = openDevice();
await using pd = device.allocPd();
await using clientCq = device.createCq({ depth: 16 });
await using serverCq = device.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
client.connect(server.info());
server.connect(client.info());

// A counter of 8 bytes at the server. The client has 8 bytes for each old value.
// To do: let the peer use atomics on the counter, and nothing else.
await using counter = pd.regMr(8, ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ']);
await using old = pd.regMr(24, ['LOCAL_WRITE']);
const remote = counter.remote();

// To do: add 5, add 7, then swap 12 for 100, and wait for all three.
console.log(`The counter is at 0x${remote.addr.toString(16)}.`);

const view = new DataView(old.bytes.buffer, old.bytes.byteOffset, 24);
console.log([0, 8, 16].map((at) => view.getBigUint64(at, true)).join(', '));
