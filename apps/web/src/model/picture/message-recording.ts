/**
 * The recording of a message whose request is not recorded, since a measuring loop posted it: its captured packets, and the
 * answers to them.
 */
import type { Analysis, Message } from '@verbslab/roce';
import { machineModel, type MachinePart } from '../machine/machine';
import { peerGid } from '../machine/object';
import { packetsOfMessage } from '../machine/work-message';
import { runPackets } from '../packet-rows';
import type { RunModel } from '../run-model';
import { recordedEnd, recordedIn, type EndParts } from './recorded-end';
import { inOrder, shifted } from './recorded-order';
import { recordedPackets } from './recorded-packets';
import { qpnsOf, rangeAt, regionWith, sideOf } from './recorded-work';
import type { PostedEvent, RecordedEnd, Recording } from './recording';
import { titleOf } from './words';

/** Most packets of a message that is replayed. */
const MOST = 40;
/** Messages that are looked at. */
const LOOKED = 5000;

const OPCODES: Readonly<Partial<Record<Message['kind'], string>>> = {
  ...{ SEND: 'SEND', 'SEND with immediate': 'SEND_WITH_IMM', 'SEND with invalidate': 'SEND_WITH_INV' },
  ...{ 'RDMA WRITE': 'RDMA_WRITE', 'RDMA WRITE with immediate': 'RDMA_WRITE_WITH_IMM' },
  ...{ 'RDMA READ': 'RDMA_READ' },
};

/** The message with the most to see: one that lost a packet, and few others; else the first one that was answered. */
function tellingMessage(run: RunModel, analysis: Analysis): Message | null {
  const rows = runPackets(run.packets);
  const packetsOf = (one: Message): number => one.requests.length + one.responses.length;
  const all = analysis.messages
    .slice(0, LOOKED)
    .filter((one) => one.kind in OPCODES && one.decidedBy !== undefined && packetsOf(one) <= MOST);
  const lossy = all.filter(({ requests, responses }) =>
    [...requests, ...responses].some((i) => rows.lost(i)),
  );
  return lossy.toSorted((a, b) => packetsOf(a) - packetsOf(b))[0] ?? all[0] ?? null;
}

/** The two ends of a message, by the QP that its first packet names. */
function endsOf(run: RunModel, analysis: Analysis, message: Message): readonly [EndParts, EndParts] | null {
  const first = analysis.rows[message.requests[0]!]!;
  const parts: MachinePart[] = machineModel(run, first.t)
    .hosts.flatMap(({ processes }) => processes)
    .flatMap((one) => [...one.parts]);
  const named = parts.filter(({ kind, number }) => kind === 'QP' && number === first.destQp);
  // Queue pairs of several hosts may have one number.
  const peer = named.length === 1 ? named[0] : undefined;
  const qp = parts.find(({ id }) => id === peer?.peer);
  if (!qp || !peer) return null;
  const endOf = (one: MachinePart): EndParts => ({
    endpoint: one.endpoint,
    qp: one,
    parts: parts.filter(({ endpoint }) => endpoint === one.endpoint),
  });
  return [endOf(qp), endOf(peer)];
}

/** Calls of a loop are not recorded, so what its queues hold is not known. */
const withoutContent = (end: RecordedEnd): RecordedEnd => ({
  ...end,
  queues: Object.fromEntries(
    Object.entries(end.queues).map(([kind, { capacity }]) => [kind, { capacity, before: null, holds: null }]),
  ),
});

/** Null if no message of a loop was captured with its answer. */
export function messageRecording(run: RunModel, analysis: Analysis | null): Recording | null {
  const message = analysis && tellingMessage(run, analysis);
  const ends = message && endsOf(run, analysis, message);
  if (!ends) return null;
  const [own, peer] = ends;
  const { rows } = analysis;
  const first = rows[message.requests[0]!]!;
  const side = sideOf(own.endpoint, peer);
  const indices = packetsOfMessage(message, analysis);
  const [from, to] = [rows[indices[0]!]!.t, rows[indices.at(-1)!]!.t];
  const remote = first.va === undefined ? null : rangeAt(peer, first.rkey ?? null, Number(first.va));
  const request = 'r0';
  const mtu = typeof own.qp.connection.path_mtu === 'number' ? own.qp.connection.path_mtu : null;
  const packets = recordedPackets({
    ...{ run, analysis, connection: message.connection, from, to, mtu, only: new Set(indices) },
    clientEnd: side === 'client' ? message.from : message.from === 0 ? 1 : 0,
    qpns: qpnsOf(side, own, peer),
    memoryOf: (id) => (id === message.id ? { request, to: remote, back: null, provenBy: null } : null),
    regionAt: (at, key) => regionWith(at === side ? own : peer, key),
  });
  if (packets.length === 0) return null;
  const opcode = OPCODES[message.kind]!;
  const bytes = message.kind === 'RDMA READ' ? (first.dmaLength ?? message.bytes) : message.bytes;
  const unposted: PostedEvent = {
    ...{ kind: 'posted', t: 0, side, queue: 'sq', request, name: 'the request', opcode, bytes },
    ...{ local: null, remote, signaled: false, inline: false },
  };
  const endAt = (end: EndParts, other: EndParts): RecordedEnd =>
    withoutContent(
      recordedEnd(
        { run, end, at: from - 1, nameOf: () => '', gid: peerGid(other.qp) },
        new Set(end === peer && remote ? [remote.region] : []),
      ),
    );
  const [poster, other] = [endAt(own, peer), endAt(peer, own)];
  return {
    title: titleOf([unposted]),
    ...recordedIn(run, own, from),
    mtu,
    ends: side === 'client' ? { client: poster, server: other } : { client: other, server: poster },
    poster: side,
    requests: [request],
    unposted,
    events: shifted(inOrder(packets), from),
    ...{ withoutPackets: false, withoutStamps: true },
  };
}
