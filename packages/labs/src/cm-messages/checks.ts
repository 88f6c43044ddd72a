/** Checks of the captured messages against the values that the programs passed and then used. */
import type { PacketSummary } from '@verbslab/protocol';
import {
  CM_ORDER,
  messageOf,
  privateDataOf,
  valueOf,
  wasLate,
  withoutReceipts,
  type Conversation,
} from '../cm/conversation.js';
import { hexOfText, remoteOfHex } from '../cm/private-data.js';
import { plural } from '../base/format.js';
import { WRITE } from '../wire/messages.js';
import { icrcRight } from '../wire/tap.js';
import { checkFigures } from '../endpoints/too-busy.js';
import { FIND_ME, type Context, type Found } from './connect.js';
import { NO_PACKETS } from '../wire/packet-watch.js';

/** Prefix of RDMA_PS_TCP; the port is below it. */
const TCP_SERVICES = 0x0000_0000_0106_0000n;
const CAPTURED = ['cm-order', 'qpns', 'starting-psn', 'service-id', 'request-data', 'reply-data', 'cm-icrc'];

const names = (one: Conversation): string =>
  withoutReceipts(one)
    .map(({ name, direction }) => `${name} ${direction}`)
    .join(', ');

const EXPECTED = CM_ORDER.map(
  (name) => `${name} ${name === 'ConnectReply' || name === 'DisconnectReply' ? 'received' : 'sent'}`,
).join(', ');

/** PSN of the first data packet that the client sent to a QP. */
const firstPsn = (packets: readonly PacketSummary[], qpn: unknown): number | undefined =>
  packets.find(
    ({ direction, destQpn, opcode }) =>
      direction === 'sent' && destQpn === qpn && Object.values(WRITE).includes(opcode),
  )?.psn;

export function checkCapture(ctx: Context, found: Found, all: readonly Conversation[]): void {
  const { cm, packets, served, server, watch, record } = found;
  if (!watch.on) {
    for (const id of CAPTURED) ctx.doesNotApply(id, NO_PACKETS);
    return;
  }
  const count = cm.length;
  const right = (holds: (one: Conversation, i: number) => boolean): number =>
    all.filter((one, i) => holds(one, i)).length;
  const all5 = right((one) => names(one) === EXPECTED);
  const odd = all.find((one) => names(one) !== EXPECTED);
  const again = all.flatMap(({ messages }) => messages).reduce((sum, { repeated }) => sum + repeated, 0);
  checkFigures(
    ctx,
    'cm-order',
    { holds: all5 === count && all.length === count, refuted: !wasLate(all) },
    `${all5} of ${plural(count, 'connection')}: ${EXPECTED}. ${odd ? `Another: ${names(odd)}. ` : ''}Sent again: ${plural(again, 'message')}.`,
  );

  const serverQpns = served.qpns.slice(-count);
  const qpns = right(
    (one, i) =>
      valueOf(messageOf(one, 'ConnectRequest'), 'infiniband.cm.req.localqpn') === cm[i]?.qpn &&
      valueOf(messageOf(one, 'ConnectReply'), 'infiniband.cm.rep.localqpn') === serverQpns[i] &&
      valueOf(messageOf(one, 'DisconnectRequest'), 'infiniband.cm.req.remoteqpneecn') === serverQpns[i],
  );
  ctx.check(
    'qpns',
    qpns === count,
    `In ${qpns} of ${plural(count, 'connection')}, request, reply and DisconnectRequest name the QPNs that the programs had.`,
  );

  const psns = right((one) => {
    const reply = messageOf(one, 'ConnectReply');
    const psn = valueOf(reply, 'infiniband.cm.rep.startpsn');
    return psn !== undefined && psn === firstPsn(packets, valueOf(reply, 'infiniband.cm.rep.localqpn'));
  });
  ctx.check(
    'starting-psn',
    psns === count,
    `In ${psns} of ${plural(count, 'connection')}, the first WRITE to the server has the PSN that the server’s reply names.`,
  );

  const { port } = server.listener;
  const service = TCP_SERVICES | BigInt(port);
  const services = right(
    (one) => valueOf(messageOf(one, 'ConnectRequest'), 'infiniband.cm.req.serviceid') === service,
  );
  ctx.check(
    'service-id',
    services === count,
    `Service 0x${service.toString(16).padStart(16, '0')} (RDMA_PS_TCP and port ${port}) is in ${services} of ${plural(count, 'request')}.`,
  );
  checkPrivateData(ctx, found, all, record);
  const { ok, detail } = icrcRight(watch.report ?? { packets: 0, badIcrc: 0, malformed: 0 });
  ctx.check('cm-icrc', ok, detail);
}

/** @param record of the server, hex */
function checkPrivateData(
  ctx: Context,
  { cm, served }: Found,
  all: readonly Conversation[],
  record: string,
): void {
  const count = cm.length;
  const isPadded = (data: string, begin: string): boolean =>
    data.startsWith(begin) && /^0*$/.test(data.slice(begin.length));
  const requests = all.map((one) => privateDataOf(messageOf(one, 'ConnectRequest')));
  const replies = all.map((one) => privateDataOf(messageOf(one, 'ConnectReply')));
  const asked = requests.filter((data) => isPadded(data, hexOfText(FIND_ME))).length;
  ctx.check(
    'request-data',
    asked === count,
    `“${FIND_ME}” and zeros up to ${(requests[0]?.length ?? 0) / 2} B are in ${asked} of ${plural(count, 'request')}.`,
  );
  const answered = replies.filter((data) => isPadded(data, record)).length;
  const told = remoteOfHex(record);
  ctx.check(
    'reply-data',
    answered === count,
    `The server’s address ${told.addr} and rkey 0x${told.rkey.toString(16)} are in ${answered} of ${plural(count, 'reply', 'replies')}.`,
  );
  ctx.figure('private-room', (served.privateData.replaceAll('=', '').length * 6) >> 3);
}

export function checkConnections(ctx: Context, { cm, hand, handServed, served, arrived }: Found): void {
  const made = cm.filter(({ event, status }) => event === 'ESTABLISHED' && status === 'SUCCESS').length;
  ctx.check(
    'cm-connected',
    made === cm.length && served.failed === 0 && arrived.cm,
    `${made} of ${plural(cm.length, 'connection')} by rdma_cm moved a WRITE. The bytes ${arrived.cm ? 'match' : 'do not match'}.`,
  );
  const good = hand.filter(({ status }) => status === 'SUCCESS').length;
  const same = hand.filter(({ own, peer }, i) => {
    const other = handServed.connections[i];
    return other?.peer === own && other.own === peer;
  }).length;
  ctx.check(
    'hand-connected',
    good === hand.length && same === hand.length && arrived.hand,
    `${good} of ${plural(hand.length, 'connection')} by hand moved a WRITE, and ${same} exchanged the two lines unchanged. The bytes ${arrived.hand ? 'match' : 'do not match'}.`,
  );
}
