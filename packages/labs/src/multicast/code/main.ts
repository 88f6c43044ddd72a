// A SEND to a group: both members get it, and an outsider with the same Q_Key does not.
import { GRH_BYTES, openDevice, type Ah } from '@verbslab/verbs';

const GROUP = '239.1.2.3';
/** A Q_Key of its own keeps datagrams of other programs out, should they use the same group. */
const QKEY = process.pid;
/** The QPN that stands for all members. */
const TO_GROUP = 0xffffff;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using senderCq = ctx.createCq({ depth: 16 });
await using sender = pd.createQp({ type: 'UD', sendCq: senderCq });
sender.activate({ qkey: QKEY });
await using senderMr = pd.regMr(64, ['LOCAL_WRITE']);

/** A receiver with two RECVs, whose wrId is the offset of their buffer. */
function openReceiver() {
  const cq = ctx.createCq({ depth: 16 });
  const qp = pd.createQp({ type: 'UD', sendCq: cq });
  const mr = pd.regMr(512, ['LOCAL_WRITE']);
  qp.activate({ qkey: QKEY });
  qp.postRecv([0, 256].map((offset) => ({ wrId: offset, local: mr.sge(offset, 256) })));
  return { cq, qp, mr };
}

/** The completion says that the datagram has left. It says nothing about who got it. */
async function sendText(ah: Ah, remoteQpn: number, text: string): Promise<void> {
  senderMr.bytes.set(Buffer.from(text));
  const local = senderMr.sge(0, text.length);
  sender.postSend({ opcode: 'SEND', local, ah, remoteQpn, remoteQkey: QKEY });
  await senderCq.wait();
}

/** The next message of a receiver. A GRH of 40 bytes comes before it. */
async function nextText({ cq, mr }: ReturnType<typeof openReceiver>): Promise<string> {
  const [wc] = await cq.wait();
  if (!wc) throw new Error('No datagram arrived.');
  const start = Number(wc.wrId);
  return Buffer.from(mr.bytes.subarray(start + GRH_BYTES, start + wc.byteLength)).toString();
}

const [member1, member2, outsider] = [openReceiver(), openReceiver(), openReceiver()];
await using toGroup = pd.createAh({ gid: GROUP });
await using toPort = pd.createAh({ gid: ctx.gid().gid });
// Only receivers attach. The sender need not be a member.
member1.qp.attachMulticast(GROUP);
member2.qp.attachMulticast(GROUP);

await sendText(toGroup, TO_GROUP, 'to the group');
console.log(`member 1: ${await nextText(member1)}`);
console.log(`member 2: ${await nextText(member2)}`);

// A member that detaches gets nothing more. This datagram to it alone is the next that it sees.
member1.qp.detachMulticast(GROUP);
await sendText(toGroup, TO_GROUP, 'to the rest');
console.log(`member 2: ${await nextText(member2)}`);
await sendText(toPort, member1.qp.qpn, 'to one');
console.log(`member 1 after detaching: ${await nextText(member1)}`);
await sendText(toPort, outsider.qp.qpn, 'to one');
console.log(`outsider: ${await nextText(outsider)}`);

member2.qp.detachMulticast(GROUP);
for (const { cq, qp, mr } of [member1, member2, outsider]) {
  qp.close();
  cq.close();
  mr.close();
}
