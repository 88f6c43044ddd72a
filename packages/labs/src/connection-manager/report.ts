import { isNak } from '@verbslab/roce';
import type { PacketSummary } from '@verbslab/protocol';
import { formatBytes, formatTime, plural } from '../base/format.js';
import { checkSegments, READ_RESPONSE, withoutRepeats, WRITE } from '../wire/messages.js';
import type { CmFound } from './by-cm.js';
import { medianOf } from './data.js';
import type { HandFound } from './by-hand.js';
import { WHY, type Rejected } from './rejected.js';
import type { Context } from './trace.js';
import { NO_PACKETS } from '../wire/packet-watch.js';

const ORDER = {
  client: ['ADDR_RESOLVED', 'ROUTE_RESOLVED', 'ESTABLISHED', 'DISCONNECTED', 'TIMEWAIT_EXIT'],
  server: ['CONNECT_REQUEST', 'ESTABLISHED', 'DISCONNECTED', 'TIMEWAIT_EXIT'],
} as const;
const CM_ORDER = ['ConnectRequest', 'ConnectReply', 'ReadyToUse', 'DisconnectRequest', 'DisconnectReply'];
/** `IB_CM_REJ_CONSUMER_DEFINED`: the program at the other end. */
const BY_THE_PROGRAM = 28;

/**
 * Messages of one connection, each once: the connection manager repeats a message whose answer is late, and
 * a slow end asks for more time (MsgRcptAck). Where both ends
 * have one address, one process receives for QP 1 and passes requests on: if that is the client's, its own request
 * comes by again.
 */
function cmPackets(packets: readonly PacketSummary[]): PacketSummary[] {
  const sent = new Set(packets.flatMap(({ cm, direction }) => (direction === 'sent' && cm ? [cm] : [])));
  const seen = new Set<string>();
  return packets.filter(({ cm, direction }) => {
    if (!cm || cm === 'MsgRcptAck' || seen.has(cm) || (direction === 'received' && sent.has(cm)))
      return false;
    seen.add(cm);
    return true;
  });
}

export function checkCm(ctx: Context, found: CmFound, watched: boolean): void {
  const { events, told, registered, states, serverStates, moved, setup } = found;
  for (const side of ['client', 'server'] as const)
    ctx.check(
      `${side}-events`,
      events[side].join() === ORDER[side].join(),
      `The ${side} got ${events[side].join(', ')}.`,
    );
  ctx.check(
    'private-data',
    told.addr === registered.addr && told.rkey === registered.rkey,
    `The bytes ${told.bytes} are address ${told.addr} and rkey 0x${told.rkey.toString(16)}. The server registered ${registered.addr} with rkey 0x${registered.rkey.toString(16)}.`,
  );
  ctx.check(
    'cm-data',
    moved.same && moved.failed.length === 0,
    moved.failed.length > 0
      ? `A request failed with ${moved.failed.join(', ')}.`
      : `${formatBytes(ctx.params.size)} ${moved.same ? 'match' : 'do not match'} at the server and after the READ.`,
  );
  const modified = setup.names.filter((name) => name === 'ibv_modify_qp').length;
  const walked = [states, serverStates].every((each) => each.join() === 'INIT,RTS,ERR');
  ctx.check(
    'states',
    walked && modified === 0,
    `Client: ${states.join(', ')}. Server: ${serverStates.join(', ')}. The client’s program called ibv_modify_qp ${plural(modified, 'time')}.`,
  );
  ctx.outcome('who-moves', modified === 0 && walked ? 'library' : 'program');
  if (watched) checkCmPackets(ctx, found);
  else for (const id of ['cm-packets', 'whole']) ctx.doesNotApply(id, NO_PACKETS);
  checkLink(ctx, found);
}

function checkCmPackets(ctx: Context, { packets }: CmFound): void {
  const { size, turns } = ctx.params;
  const cm = cmPackets([...packets.setup, ...packets.end]);
  for (const { cm: name, direction, destQpn } of cm)
    ctx.row('messages', { message: name ?? null, direction, qpn: destQpn });
  const names = cm.map(({ cm: name }) => name);
  ctx.check(
    'cm-packets',
    names.join() === CM_ORDER.join() && cm.every(({ destQpn }) => destQpn === 1),
    `At the client: ${cm.map(({ cm: name, direction }) => `${name} ${direction}`).join(', ')}.`,
  );
  const mtu = Math.max(...packets.data.map(({ payload }) => payload), 1);
  const parts = (direction: PacketSummary['direction'], opcodes: typeof WRITE): PacketSummary[] =>
    withoutRepeats(
      packets.data.filter(
        (one) => one.direction === direction && Object.values(opcodes).includes(one.opcode),
      ),
    ).once;
  const writes = checkSegments(parts('sent', WRITE), WRITE, mtu);
  const reads = checkSegments(parts('received', READ_RESPONSE), READ_RESPONSE, mtu);
  const naks = packets.data.filter(({ syndrome }) => isNak(syndrome)).length;
  ctx.check(
    'whole',
    writes.ok && reads.ok && writes.bytes === turns * size && reads.bytes === size && naks === 0,
    [writes.detail, reads.detail].find(Boolean) ??
      `The WRITEs carried ${formatBytes(writes.bytes)}, the READ ${formatBytes(reads.bytes)}, with ${plural(naks, 'NAK')}.`,
  );
}

function checkLink(ctx: Context, { packets, udpSends, link }: CmFound): void {
  // Repeated messages are sent, too.
  const sent = packets.setup.filter(({ cm, direction }) => cm && direction === 'sent').length;
  if (udpSends === null || link === null || packets.setup.length === 0)
    return ctx.doesNotApply('cm-link', 'This device does not count what it sends through UDP sockets.');
  ctx.figure('udp-setup', udpSends.setup);
  ctx.figure('udp-data', udpSends.data);
  ctx.check(
    'cm-link',
    udpSends.setup === sent && (link === 'shm' ? udpSends.data === 0 : udpSends.data > 0),
    `Setup: ${plural(sent, 'message')} of the connection manager sent, ${plural(udpSends.setup, 'send')} on UDP sockets. The QP’s link is ${link}: ${plural(udpSends.data, 'send')} on UDP sockets for the data.`,
  );
}

export function checkRejected(ctx: Context, found: Rejected, watched: boolean): void {
  const { established, reason, reasonText, text, state, events, packets } = found;
  const names = cmPackets(packets).map(({ cm }) => cm);
  for (const { cm, direction, destQpn } of cmPackets(packets))
    ctx.row('messages', { message: cm ?? null, direction, qpn: destQpn });
  ctx.figure('reason', reason);
  ctx.check(
    'rejected',
    !established &&
      reason === BY_THE_PROGRAM &&
      text === WHY &&
      state !== 'RTS' &&
      events.join() === 'ADDR_RESOLVED,ROUTE_RESOLVED,REJECTED' &&
      (!watched || names.join() === 'ConnectRequest,ConnectReject'),
    `Events: ${events.join(', ')}. Reason: ${reasonText}. Private data: “${text}”. The client’s QP is in ${state}.`,
  );
}

export function checkHand(ctx: Context, { setup, state, moved }: HandFound): void {
  const modified = setup.names.filter((name) => name === 'ibv_modify_qp').length;
  ctx.check(
    'by-hand',
    modified === 3 && state === 'RTS' && moved.same && moved.failed.length === 0,
    `The client’s program called ibv_modify_qp ${plural(modified, 'time')}; its QP was in ${state}. The data ${moved.same ? 'arrived' : 'did not arrive'}.`,
  );
}

export function compare(ctx: Context, cm: CmFound, hand: HandFound): void {
  const figure = (name: string, sorted: readonly number[]): number | null => {
    const ns = medianOf(sorted);
    const spread =
      sorted.length > 0 ? { min: sorted[0]! / 1000, max: sorted.at(-1)! / 1000, n: sorted.length } : {};
    ctx.figure(name, ns === null ? null : ns / 1000, spread);
    return ns;
  };
  ctx.figure('cm-setup', cm.setup.totalNs / 1e6);
  const { connectNs } = cm.setup;
  ctx.figure('connect', connectNs === null ? null : connectNs / 1e6);
  ctx.figure('hand-setup', hand.setup.totalNs / 1e6);
  const write = figure('cm-write', cm.moved.writeNs);
  figure('hand-write', hand.moved.writeNs);
  ctx.figure('setup-writes', write === null ? null : cm.setup.totalNs / write);
  if (write === null) return;
  ctx.answer(
    `With rdma_cm, the client’s setup calls took ${formatTime(cm.setup.totalNs)}; by hand they took ${formatTime(hand.setup.totalNs)}, without the exchange. ` +
      `A WRITE of ${formatBytes(ctx.params.size)} took ${formatTime(write)} afterward.`,
  );
}
