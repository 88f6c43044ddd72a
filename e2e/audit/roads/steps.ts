// The pages of the minimal flow's steps: values, calls, time stamps and completions, compared with the wire.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { OPCODE, type WirePacket } from '../wire.js';
import { flowPackets } from './flow-checks.js';
import { hex6, infoOf, labelOf } from './packets.js';
import { inOrder } from './program.js';
import {
  attrOf,
  indexOf,
  ON_THE_WIRE,
  packetsInStep,
  reth,
  runTime,
  stateAfter,
  stepOf,
  within,
} from './step-events.js';
import { STEP_FIGURES } from './step-figures.js';

/** Arguments of calls that also appear in packets: name in the call, and value by tshark. */
const CALLS: Readonly<Record<string, (evidence: Evidence, endpoint: string) => number | string>> = {
  dest_qp_num: (evidence, endpoint) =>
    hex6(flowPackets(evidence)[endpoint === 'client' ? 'write' : 'acks'][0]!.destQp),
  rq_psn: (evidence, endpoint) =>
    endpoint === 'server'
      ? flowPackets(evidence).write[0]!.psn
      : Number(attrOf(evidence, 'server', 'sq_psn')),
  remote_addr: (evidence) => `0x${reth(evidence).va.toString(16)}`,
  rkey: (evidence) => `0x${reth(evidence).rkey.toString(16)}`,
};

/** Results of ibv_query_qp after the transfers. The PSN behind the last response is the next one, at both ends. */
const QUERIED: typeof CALLS = {
  dest_qp_num: CALLS.dest_qp_num!,
  'sq_psn of the client': (evidence) => (flowPackets(evidence).responses.at(-1)!.psn + 1) & 0xff_ffff,
  'rq_psn of the server': (evidence) => (flowPackets(evidence).responses.at(-1)!.psn + 1) & 0xff_ffff,
};

const wrOf = (claim: Claim, { data }: Evidence) =>
  itemsOf(data, 'wr').find(({ wrId }) => wrId === Number(claim.data('wr')))!;

/** Packets that left for a work request, and packets that came back for it. */
function packetsOf(claim: Claim, evidence: Evidence): { out: WirePacket[]; back: WirePacket[] } {
  const { write, acks, request, responses } = flowPackets(evidence);
  return wrOf(claim, evidence).opcode === 'RDMA_WRITE'
    ? { out: write, back: acks }
    : { out: request, back: responses };
}

/** Checks a time after the post, such as `+126 µs`. */
function after(claim: Claim, ns: number, road: string): void {
  if (ns === 0) claim.equal('0', road);
  else claim.quantity(ns, road, claim.text.replace(/^\+/, ''));
}

function stage(claim: Claim, evidence: Evidence): void {
  const wr = wrOf(claim, evidence);
  const { out, back } = packetsOf(claim, evidence);
  const name = claim.data('stage') as 'posted' | 'firstTx' | 'lastTx' | 'acked' | 'cqe' | 'polled';
  after(claim, wr[name]! - wr.posted, `its ${name}`);
  const answered = runTime(evidence, back.at(-1)!);
  inOrder(claim, [wr.posted, wr.firstTx, wr.lastTx, answered, wr.acked, wr.cqe, wr.polled]);
  // The tap stamps a packet in the engine, so both times are one reading of one clock.
  if (name === 'firstTx')
    after(claim, runTime(evidence, out[0]!) - wr.posted, 'its first packet in the capture');
  if (name === 'lastTx')
    after(claim, runTime(evidence, out.at(-1)!) - wr.posted, 'its last packet in the capture');
}

export const STEPS: Roads<Evidence> = {
  ...STEP_FIGURES,
  exchanged: (claim, evidence) => {
    const field = claim.data('field');
    const road = ON_THE_WIRE[field];
    if (!road) return claim.fail('the values that the audit knows', Object.keys(ON_THE_WIRE).join(', '));
    claim.equal(road(evidence, claim.data('from')), 'tshark');
  },
  'record-bytes': (claim, evidence) =>
    claim.equal(
      `${ON_THE_WIRE.record!(evidence, 'server').length / 2} bytes`,
      'the address and rkey in the RETH',
    ),
  'verbs-count': (claim, evidence) =>
    claim.count(within(claim, evidence, 'verb').length, 'the verb events of the step'),
  verb: (claim, evidence) => {
    const event = itemsOf(evidence.data, 'verb').find(({ seq }) => seq === Number(claim.data('seq')))!;
    claim.holds(claim.text.includes(`${event.call}(`), 'the verb event', event.call);
    const fields = event.call === 'ibv_query_qp' ? QUERIED : CALLS;
    for (const [name, other] of Object.entries(fields)) {
      const [field = '', , , side] = name.split(' ');
      if (side !== undefined && side !== event.endpoint) continue;
      // The client's own key never leaves it.
      if (field === 'rkey' && event.call === 'ibv_reg_mr' && event.endpoint === 'client') continue;
      const shown = new RegExp(`\\b${field} = (0x[0-9a-f]+|\\d+)`).exec(claim.text)?.[1];
      if (shown !== undefined) claim.equal(other(evidence, event.endpoint!), `${field} by tshark`, shown);
    }
  },
  'verb-time': (claim, evidence) => {
    const event = itemsOf(evidence.data, 'verb').find(({ seq }) => seq === Number(claim.data('seq')))!;
    if (event.durationNs > 0) claim.quantity(event.durationNs, 'the verb event');
    else claim.equal('', 'the verb event, in which it was not measured');
  },
  wr: (claim, evidence) => {
    const { out } = packetsOf(claim, evidence);
    const opcode = out[0]!.opcode === OPCODE.readRequest ? 'RDMA_READ' : 'RDMA_WRITE';
    claim.equal(`${opcode} wr_id ${wrOf(claim, evidence).wrId}`, 'tshark, and the call of ibv_post_send');
  },
  stage,
  'device-time': (claim, evidence) => {
    const { posted, cqe } = wrOf(claim, evidence);
    claim.quantity(cqe! - posted, 'its stamps, CQE less posted');
  },
  'program-time': (claim, evidence) => {
    const { polled, cqe } = wrOf(claim, evidence);
    claim.quantity(polled! - cqe!, 'its stamps, polled less CQE');
  },
  'step-completions': (claim, evidence) => {
    const [head, ...rows] = claim.shown.rows!;
    claim.equal('Side,Opcode,Status,wr_id,Bytes,QP,Time in step', 'what the audit knows of it', head!.join());
    const events = within(claim, evidence, 'completion');
    claim.equal(events.length, 'the completion events of the step', String(rows.length));
    rows.forEach(([side, opcode, status, wrId, bytes, qp, time], i) => {
      const { wc, t, endpoint } = events[i]!;
      const row = claim.about({ row: String(i + 1), wr: String(wc.wrId) });
      const { out, back } = packetsOf(row, evidence);
      row.equal('Client', `the completion event of the ${endpoint}`, side);
      row.equal(wc.opcode, 'the completion event', opcode);
      row.equal(wc.status === 0 ? 'SUCCESS' : 'another', 'the completion event', status);
      row.equal(wc.wrId, 'the completion event', wrId);
      row.count(out[0]!.remote!.length, 'the DMA length in the RETH', bytes);
      row.equal(hex6(back[0]!.destQp), 'the QP to which tshark sees the answer go', qp);
      row.quantity(t - stepOf(evidence, indexOf(claim)).begin.t, 'the times of the events', time);
    });
  },
  'no-completion': (claim, evidence) => {
    const { sides } = claim.match(/^No completion was polled at the (?<sides>.+) in this step\.$/);
    for (const side of sides!.split(' or the ')) {
      const some = within(claim, evidence, 'completion').filter(({ endpoint }) => endpoint === side);
      claim.equal(0, `the completion events of the ${side} in the step`, String(some.length));
    }
  },
  'packets-count': (claim, evidence) => claim.count(packetsInStep(claim, evidence).length, 'tshark'),
  'ladder-time': (claim, evidence) => {
    const packet = evidence.packets[Number(claim.data('packet'))]!;
    after(claim, Number(packet.timeNs - packetsInStep(claim, evidence)[0]!.timeNs), 'tshark');
  },
  'ladder-packet': (claim, evidence) => {
    const packet = evidence.packets[Number(claim.data('packet'))]!;
    const { from, label, bytes } = claim.match(
      /^(?<from>Client|Server) to (?:Client|Server): (?<label>.+?)(?: (?<bytes>\d+) B)?$/,
    );
    claim.equal(packet.sent ? 'Client' : 'Server', 'the direction that tshark reads', from);
    claim.equal(packet.payload, 'the payload that tshark reads', bytes ?? '0');
    claim.equal(labelOf(packet).toLowerCase(), 'tshark', label!.toLowerCase());
  },
  'packet-line': (claim, evidence) => {
    const packet = evidence.packets[Number(claim.data('packet'))]!;
    const { number, src, dst, info } = claim.match(
      /^Packet (?<number>\d+) (?<src>\S+) → (?<dst>\S+) (?<info>.+)$/,
    );
    claim.equal(Number(claim.data('packet')) + 1, 'its place in the capture', number);
    claim.equal(packet.src, 'tshark', src);
    claim.equal(packet.dst, 'tshark', dst);
    infoOf(claim, packet, info!);
  },
  'qp-state': (claim, { data }) => {
    const role = claim.data('qp-endpoint').toLowerCase();
    claim.equal(
      stateAfter(data, role, indexOf(claim)),
      'the calls of ibv_create_qp, ibv_modify_qp, ibv_destroy_qp',
    );
  },
};
