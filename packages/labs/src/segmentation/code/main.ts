// A WRITE, a READ and a SEND of 4096, 1000 and 0 bytes at a path MTU of 1024: their packets, by opcode.
import { LinkType, operationName, summarizePacket } from '@verbslab/roce';
import { openDevice } from '@verbslab/verbs';

const LENGTH = 4096;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using clientCq = ctx.createCq({ depth: 16 });
await using serverCq = ctx.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
client.connect(server.info(), { mtu: 1024 });
server.connect(client.info(), { mtu: 1024 });
await using source = pd.regMr(LENGTH, ['LOCAL_WRITE']);
await using target = pd.regMr(LENGTH, ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ']);

for (const size of [4096, 1000, 0]) {
  const local = size > 0 ? source.sge(0, size) : [];
  const remote = target.remote();
  server.postRecv({ local: target.sge() });
  for (const request of [
    { opcode: 'RDMA_WRITE' as const, local, remote },
    { opcode: 'RDMA_READ' as const, local, remote },
    { opcode: 'SEND' as const, local },
  ]) {
    ctx.extensions.tapStart();
    client.postSend(request);
    await clientCq.wait();
    ctx.extensions.tapStop();
    // Both ends are in this process, so the tap sees each packet twice: sent and received.
    const names = ctx.extensions
      .tapRead()
      .packets.filter(({ direction }) => direction === 'tx')
      .map(({ bytes }) => operationName(summarizePacket(bytes, LinkType.RAW).opcode ?? 0))
      .filter((name) => name !== 'ACK' && name !== 'READ Request');
    console.log(`${request.opcode} of ${size} B: ${names.join(', ')}`);
  }
}
