// A WRITE of 32 bytes in RoCE v2: its headers, in their order, with the bytes of each.
import { decodePacket, LinkType } from '@verbslab/roce';
import { openDevice } from '@verbslab/verbs';

const SIZE = 32;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using cq = ctx.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: cq });
await using server = pd.createQp({ sendCq: cq });
client.connect(server.info());
server.connect(client.info());
await using source = pd.regMr(SIZE, ['LOCAL_WRITE']);
await using target = pd.regMr(SIZE, ['LOCAL_WRITE', 'REMOTE_WRITE']);

ctx.extensions.tapStart();
client.postSend({ opcode: 'RDMA_WRITE', local: source.sge(), remote: target.remote() });
await cq.wait();
ctx.extensions.tapStop();
const [first] = ctx.extensions.tapRead().packets;
if (!first) throw new Error('No packet was captured.');

const { layers, icrc } = decodePacket(first.bytes, LinkType.RAW);
for (const { title, length } of layers) console.log(`${title}: ${length} B`);
console.log(`IP packet: ${first.originalLength} B, its ICRC is ${icrc?.status}`);
