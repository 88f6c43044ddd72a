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
await using counter = pd.regMr(8, ['LOCAL_WRITE', 'REMOTE_ATOMIC']);
await using old = pd.regMr(24, ['LOCAL_WRITE']);
const remote = counter.remote();

client.postSend([
  { opcode: 'ATOMIC_FETCH_AND_ADD', wrId: 1, local: old.sge(0, 8), remote, add: 5 },
  { opcode: 'ATOMIC_FETCH_AND_ADD', wrId: 2, local: old.sge(8, 8), remote, add: 7 },
  { opcode: 'ATOMIC_CMP_AND_SWP', wrId: 3, local: old.sge(16, 8), remote, compare: 12, swap: 100 },
]);
await clientCq.wait(3);

const view = new DataView(old.bytes.buffer, old.bytes.byteOffset, 24);
console.log([0, 8, 16].map((at) => view.getBigUint64(at, true)).join(', '));
