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
await using target = pd.regMr(4096, ['LOCAL_WRITE', 'REMOTE_WRITE']);
for (let i = 0; i < source.length; i++) source.bytes[i] = i;

// Address and rkey: the server would tell them to the client.
const { addr, rkey } = target.remote();

client.postSend({
  opcode: 'RDMA_WRITE',
  wrId: 1,
  local: source.sge(),
  remote: { addr: addr + 1024n, rkey },
});
await clientCq.wait();
console.log(`Byte 255 arrived: ${target.bytes[1024 + 255]}.`);
