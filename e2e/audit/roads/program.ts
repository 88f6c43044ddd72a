// The panels of a program's page: objects, work requests, and traffic between the ends.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type RunExport } from '../export.js';
import { parseFigure, sum } from '../figures.js';
import { growth } from '../problems.js';
import { againOf, averageOf, commandOf } from '../program.js';
import { carriesData, endsMessage, type WirePacket } from '../wire.js';
import { gbpsFigure } from './gbps.js';
import { once } from './on-the-wire.js';
import { hex6 } from './packets.js';

const made = (data: RunExport) => itemsOf(data, 'object').filter(({ phase }) => phase === 'made');
const gone = (data: RunExport) => itemsOf(data, 'object').filter(({ phase }) => phase === 'gone');

const processes = (data: RunExport): string[] => [
  ...new Set(itemsOf(data, 'counter').map(({ endpoint = '' }) => endpoint)),
];

const posted = (data: RunExport, name: string): number =>
  sum(processes(data).map((endpoint) => growth(data, endpoint, name)));

/** Requests of this program on the wire; null if its capture is not complete. */
const requests = ({ data, wire }: Evidence): WirePacket[] | null =>
  wire && data.run.capture!.dropped === 0
    ? once(wire.packets.filter((packet) => packet.sent && carriesData(packet)))
    : null;

const STAGES = ['firstTx', 'lastTx', 'acked', 'cqe', 'polled'] as const;

const peerOf = (claim: Claim, peers: readonly RunExport[]): RunExport =>
  peers.find(({ run }) => run.id === claim.data('peer')) ??
  claim.fail('the runs that the test started with it', peers.map(({ run }) => run.id).join(', '));

/** True if a QP of each run was connected to one of the other, by the attributes of their ibv_modify_qp calls. */
function connected(own: RunExport, other: RunExport): boolean {
  const pairs = (data: RunExport) =>
    itemsOf(data, 'qp').flatMap(({ qpn, attrs }) =>
      attrs.dest_qp_num === undefined ? [] : [[qpn, Number(attrs.dest_qp_num)] as const],
    );
  const back = pairs(other);
  return pairs(own).some(([qpn, peerQpn]) => back.some(([a, b]) => a === peerQpn && b === qpn));
}

export const PROGRAM: Roads<Evidence> = {
  'peer-run': (claim, { data, peers }) => {
    const { number, command } = claim.match(/^Connected to run (?<number>\d+): (?<command>.+)$/);
    const peer = peerOf(claim, peers);
    claim.count(peer.run.number, 'the record of the peer', number);
    claim.equal(commandOf(peer).replace(/^\S*\//, ''), 'the command that the test ran', command);
    claim.holds(
      connected(data, peer),
      'the qp events of both runs',
      'no QP of one that names one of the other',
    );
  },
  'peer-command': (claim, { peers }) =>
    claim.equal(againOf(peerOf(claim, peers)), 'the command that the test ran'),
  'program-answer': (claim, { data }) => {
    if (itemsOf(data, 'object').length + itemsOf(data, 'counter').length === 0)
      return claim.equal('The program opened no RDMA device.', 'the stream, which has no object');
    if (/ posted no work request /.test(claim.text)) return passive(claim, data);
    const { moved, n, single } = claim.match(
      /^(?<moved>.+?) in (?<n>[\d,]+) successful work requests?(?<single>, one at a time,)? on /,
    );
    const completed = posted(data, 'wc_SUCCESS') + posted(data, 'retired_unsignaled');
    claim.count(completed, 'the successful completions in the last counters', n);
    answerBytes(claim, data, moved!);
    answerRate(claim, data);
    const lives = itemsOf(data, 'wr').toSorted((a, b) => a.posted - b.posted);
    const waited = lives.every((wr, i) => i === 0 || wr.posted >= (lives[i - 1]!.cqe ?? Infinity));
    if (lives.length > 1)
      claim.equal(String(waited), 'posts and CQEs of the wr events', String(single !== undefined));
  },
  'objects-made': (claim, { data }) => claim.count(made(data).length, 'the object events'),
  'objects-live': (claim, { data }) =>
    claim.count(made(data).length - gone(data).length, 'the object events, made less gone'),
  'posted-sends': (claim, evidence) => {
    claim.count(posted(evidence.data, 'posted_sends'), 'the last counters of all processes');
    const sent = requests(evidence);
    if (sent) claim.count(sent.filter(endsMessage).length, 'the Last and Only packets that tshark reads');
  },
  'posted-receives': (claim, { data }) => {
    const all = posted(data, 'posted_recvs') + posted(data, 'posted_srq_recvs');
    claim.count(all, 'the last counters of all processes');
  },
  lives: (claim, { data }) => claim.count(itemsOf(data, 'wr').length, 'the wr events'),
  'lives-table': (claim, { data }) => {
    const [head, ...rows] = claim.shown.rows!;
    claim.equal(
      'Opcode,QP,wr_id,Length,Status,first packet,last packet,ACK,CQE,polled',
      'what the audit knows of it',
      head!.join(),
    );
    const lives = itemsOf(data, 'wr').toReversed();
    rows.forEach((cells, i) => {
      const wr = lives[i];
      const row = claim.about({ row: String(i + 1) });
      if (!wr) return row.fail('the wr events', lives.length, cells.join(' | '));
      const [opcode, qp, wrId, length, status, ...times] = cells;
      row.equal(wr.opcode, 'the wr events, newest first', opcode);
      row.equal(hex6(wr.qpn), 'the wr events, newest first', qp);
      row.equal(wr.wrId, 'the wr events, newest first', wrId);
      row.quantity(wr.byteLen, 'the wr events, newest first', length);
      row.holds((wr.status === 0) === (status === 'SUCCESS'), 'the wr events, newest first', wr.status);
      STAGES.forEach((stage, j) => {
        const at = wr[stage];
        row.figure(at === null ? null : (at - wr.posted) / 1000, `its ${stage}`, times[j]);
      });
      inOrder(row, [wr.posted, wr.firstTx, wr.lastTx, wr.acked, wr.cqe, wr.polled]);
    });
  },
  'traffic-messages': (claim, evidence) => {
    const { messages } = trafficOf(claim, evidence.data);
    claim.count(messages, 'the traffic events');
    const sent = requests(evidence);
    if (sent) claim.count(sent.filter(endsMessage).length, 'the Last and Only packets that tshark reads');
  },
  'traffic-bytes': (claim, evidence) => {
    const { bytes } = trafficOf(claim, evidence.data);
    claim.quantity(bytes, 'the traffic events');
    const sent = requests(evidence);
    if (sent) claim.quantity(sum(sent.map(({ payload }) => payload)), 'the payload that tshark reads');
  },
};

/** Checks the answer of a target of one-sided operations, by its counters. */
function passive(claim: Claim, data: RunExport): void {
  const { device, peer, n } = claim.match(
    /^The program posted no work request on (?<device>\S+) and was connected to (?<peer>\S+)\. (?<n>[\d,]+) packets? arrived\. One-sided operations \(.+\) complete at the peer that posts them, not here\.$/,
  );
  const all = ['posted_sends', 'posted_recvs', 'posted_srq_recvs'].map((name) => posted(data, name));
  claim.equal(0, 'the last counters of all processes', String(sum(all)));
  claim.count(posted(data, 'rcvd_pkts'), 'the last counters of all processes', n);
  claim.equal(itemsOf(data, 'endpoint')[0]!.device, 'the endpoint event', device);
  const peers = itemsOf(data, 'qp').flatMap(({ attrs: { dgid } }) =>
    typeof dgid === 'string' ? [dgid.replace(/^::ffff:/, '')] : [],
  );
  claim.holds(peers.includes(peer!), 'dgid of the qp events', peers.join(', '));
}

const OPCODE_OF: Readonly<Record<string, RegExp>> = {
  written: /^RDMA_WRITE/,
  read: /^(RDMA_READ|ATOMIC)/,
  sent: /^SEND/,
};

/** Checks the bytes by operation, if every send has its record. */
function answerBytes(claim: Claim, data: RunExport, moved: string): void {
  const lives = itemsOf(data, 'wr').filter(({ status }) => status === 0);
  if (lives.length !== posted(data, 'posted_sends')) return;
  for (const part of moved.split(/, | and /)) {
    const { quantity, how } = claim.match(/^(?<quantity>.+) (?<how>written|read|sent|received)$/, part);
    const opcode = OPCODE_OF[how!];
    if (!opcode) continue;
    const bytes = sum(lives.filter((wr) => opcode.test(wr.opcode)).map(({ byteLen }) => byteLen));
    claim.quantity(bytes, `the ${how} bytes of the wr events`, quantity);
  }
}

/** Checks the rate. Every completion has its record. */
function answerRate(claim: Claim, data: RunExport): void {
  const { gbps, both, time, from } =
    / Average (?<gbps>[\d.,]+ [kMG]?b\/s)(?<both>, both directions together,)? over the (?<time>.+) from the first (?<from>post|completion) to the last /.exec(
      claim.text,
    )?.groups ?? {};
  const average = averageOf(data);
  const road = 'bytes and times of the completion records';
  if (average === null || gbps === undefined)
    return claim.equal(average?.gbps ?? 'none', road, gbps ?? 'none');
  gbpsFigure(claim, average.gbps, road, gbps);
  // The moved bytes are at the front of the sentence and have their own check.
  const [moved = ''] = claim.text.split(' in ');
  const ways = [/written|sent/, /read|received/].filter((way) => way.test(moved)).length;
  claim.equal(String(ways === 2), 'what was moved', String(both !== undefined));
  claim.quantity(average.ns, road, time);
  claim.equal(average.from, 'the first post and the first completion', from);
}

/** Checks that the known time stamps of a request do not go back. */
export function inOrder(claim: Claim, stamps: readonly (number | null)[]): void {
  const there = stamps.filter((stamp) => stamp !== null);
  claim.holds(
    there.every((stamp, i) => i === 0 || stamp >= there[i - 1]!),
    'the order of its stamps',
    there.join(' '),
  );
}

/** Sum of the traffic of an endpoint. The audit's programs talk to a program outside of all runs, or to themselves. */
function trafficOf(claim: Claim, data: RunExport): { messages: number; bytes: number } {
  const [from, to] = [claim.data('from'), claim.data('to')];
  claim.holds(to === 'outside this run' || to === from, 'the run, which has no other process', from);
  const last = new Map<string, { messages: number; bytes: number }>();
  for (const { endpoint, peers, otherMessages, otherBytes } of itemsOf(data, 'traffic')) {
    if (endpoint !== from) continue;
    for (const peer of peers) last.set(`${peer.qpn} ${peer.gid} ${peer.peerQpn}`, peer);
    last.set('others', { messages: otherMessages, bytes: otherBytes });
  }
  const all = [...last.values()];
  return { messages: sum(all.map((one) => one.messages)), bytes: sum(all.map((one) => one.bytes)) };
}

/** Hexadecimal digits of a number: QPNs have 24 bits, keys 32. */
const HEX_DIGITS: Readonly<Record<string, number>> = { QP: 6, MR: 8, MW: 8 };

/** Checks the visible objects, newest first: name, process, headline, attributes, begin and end. */
export function objectRows(claim: Claim, { data }: Evidence, rows: readonly (readonly string[])[]): void {
  const all = made(data).toReversed();
  claim.holds(rows.length > 0, 'the object events', `${all.length}, and no row`);
  rows.forEach(([name, process, headline, , from, to], i) => {
    const object = all[i]!;
    const { number, t } = object;
    const row = claim.about({ row: name ?? '' });
    const digits = HEX_DIGITS[object.object];
    const shown = digits ? `0x${number.toString(16).padStart(digits, '0')}` : String(number);
    row.equal(`${object.object} ${shown}`, 'the object events, newest first', name);
    row.equal(object.endpoint ?? '', 'the object events, newest first', process);
    row.figure(t / 1e9, 'the object events', from!.replace(/^from | s$/g, ''));
    const end = gone(data).find((g) => g.object === object.object && g.number === number && g.t >= t);
    if (end) row.figure(end.t / 1e9, 'the object events', to!.replace(/^to | s$/g, ''));
    else row.equal('leaked', 'the object events', to);
    attributes(row, object, headline!);
  });
}

function attributes(row: Claim, { object, attrs }: ReturnType<typeof made>[number], shown: string): void {
  const road = 'the attributes in its event';
  if (object === 'MR') {
    const [size = '', access] = shown.split(', ');
    row.quantity(Number(attrs.length), road, size);
    row.equal((attrs.access as string[]).join(' | '), road, access);
  } else if (object === 'CQ') {
    row.equal(Number(attrs.cqe), road, String(parseFigure(shown.replace('depth ', ''))?.value));
  } else if (object === 'QP') {
    const { send, receive } = row.match(/send queue (?<send>\d+), receive queue (?<receive>\d+)$/, shown);
    row.equal(Number(attrs.max_send_wr), road, send);
    row.equal(Number(attrs.max_recv_wr), road, receive);
  }
}
