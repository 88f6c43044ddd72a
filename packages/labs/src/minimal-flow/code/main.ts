// A WRITE into the memory of the other end, and a READ that brings it back.
import { openDevice } from '@verbslab/verbs';

const SIZE = 10_000;
await using ctx = openDevice(); // the first device: uroce0 if there is no other
await using pd = ctx.allocPd();

// Each end has a queue pair to post to, and a completion queue that reports finished work.
await using clientCq = ctx.createCq({ depth: 16 });
await using serverCq = ctx.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
// RESET to INIT to RTR to RTS. info() has QPN, PSN and GID; between two processes it travels as JSON.
client.connect(server.info());
server.connect(client.info());

// Registered memory: the device may use it, and the keys name it. Only the server lets its peer in.
await using clientMr = pd.regMr(2 * SIZE, ['LOCAL_WRITE']);
await using serverMr = pd.regMr(SIZE, ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ']);
for (let i = 0; i < SIZE; i++) clientMr.bytes[i] = 31 * i + 7;
const sent = Buffer.from(clientMr.bytes.slice(0, SIZE));

// remote() is the address and the rkey. The client needs no more.
const remote = serverMr.remote();
client.postSend({ opcode: 'RDMA_WRITE', wrId: 1, local: clientMr.sge(0, SIZE), remote });
// A request is signaled unless you say otherwise. Its completion: the server's device has acknowledged all packets.
const [written] = await clientCq.wait();
console.log(`WRITE completed: wr_id ${written?.wrId}`);
console.log(`server has the bytes: ${sent.equals(serverMr.bytes) ? 'yes' : 'no'}`);

// The READ places its data in the second half of the client's buffer.
client.postSend({ opcode: 'RDMA_READ', wrId: 2, local: clientMr.sge(SIZE, SIZE), remote });
const [read] = await clientCq.wait();
console.log(`READ completed: wr_id ${read?.wrId}, ${read?.byteLength} bytes`);
console.log(`client reads the same: ${sent.equals(clientMr.bytes.subarray(SIZE)) ? 'yes' : 'no'}`);

// The server's program was involved in neither: its completion queue is empty.
console.log(`completions at the server: ${serverCq.poll().length}`);
