// A program that destroys all that it created, in the right order.
import { openDevice } from '@verbslab/verbs';

const device = openDevice();
const pd = device.allocPd();
const clientCq = device.createCq({ depth: 16 });
const serverCq = device.createCq({ depth: 16 });
const client = pd.createQp({ sendCq: clientCq });
const server = pd.createQp({ sendCq: serverCq });
client.connect(server.info());
server.connect(client.info());

const source = pd.regMr(64, []);
const target = pd.regMr(64, ['LOCAL_WRITE', 'REMOTE_WRITE']);
source.bytes.fill(7);
client.postSend({ opcode: 'RDMA_WRITE', wrId: 1, local: source.sge(), remote: target.remote() });
await clientCq.wait();
console.log(`Byte 63 is ${target.bytes[63]}.`);

// Each object before the objects that it was created from.
client.close();
server.close();
clientCq.close();
serverCq.close();
source.close();
target.close();
pd.close();
device.close();
