// The pages of the minimal flow's steps: values, calls, time stamps and completions, compared with the wire.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type ItemOf } from '../export.js';
import { OPCODE, type WirePacket } from '../wire.js';
import { flowPackets } from './flow-checks.js';
import { hex6, infoOf, labelOf } from './packets.js';
import { inOrder } from './program.js';

/** Time of a packet on the run's clock, ns. */
export const runTime = ({ data }: Evidence, packet: WirePacket): number =>
  Number(packet.timeNs - BigInt(data.run.createdAt) * 1_000_000n);

/** The values with which the sides connect, as they appear in the packets. */
const ON_THE_WIRE: Readonly<Record<string, (evidence: Evidence, from: string) => string>> = {
  qpn: (evidence, from) => {
    const { write, acks } = flowPackets(evidence);
    const { destQp } = (from === 'server' ? write : acks)[0]!;
    return `${hex6(destQp)} (${destQp})`;
  },
  psn: (evidence, from) => {
    // The server sends no request, so its first PSN stays unused and is only in its verbs call.
    const psn =
      from === 'client' ? flowPackets(evidence).write[0]!.psn : Number(attrOf(evidence, 'server', 'sq_psn'));
    return `${psn} (${hex6(psn)})`;
  },
  gid: (evidence, from) => {
    const [first] = evidence.packets;
    return `::ffff:${from === 'client' ? first!.src : first!.dst}`;
  },
  mtu: (evidence) => String(Math.max(...evidence.packets.map(({ payload }) => payload))),
  addr: (evidence) => `0x${reth(evidence).va.toString(16)}`,
  rkey: (evidence) => `0x${reth(evidence).rkey.toString(16)}`,
  length: (evidence) => String(reth(evidence).length),
  record: (evidence) =>
    reth(evidence).va.toString(16).padStart(16, '0') + reth(evidence).rkey.toString(16).padStart(8, '0'),
};

const reth = (evidence: Evidence) => flowPackets(evidence).write[0]!.remote!;

/** An attribute that ibv_modify_qp set at an endpoint. */
function attrOf({ data }: Evidence, endpoint: string, name: string): unknown {
  for (const event of itemsOf(data, 'verb')) {
    const attr = event.args.attr as Record<string, unknown> | undefined;
    if (event.call === 'ibv_modify_qp' && event.endpoint === endpoint && attr?.[name] !== undefined)
      return attr[name];
  }
  return undefined;
}

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

function stepOf({ data }: Evidence, index: number) {
  const steps = itemsOf(data, 'step').filter((event) => event.index === index);
  const of = (phase: 'begin' | 'end') => steps.find((event) => event.phase === phase)!;
  return { begin: of('begin'), end: of('end') };
}

/** Index of the page's step. */
const indexOf = (claim: Claim): number => Number(claim.data('at-step'));

/** Events of a kind between the begin of a step and the begin of the next, in the order of the stream. */
function within<K extends 'verb' | 'completion' | 'wr' | 'exchange' | 'async'>(
  claim: Claim,
  evidence: Evidence,
  kind: K,
): ItemOf<K>[] {
  const from = stepOf(evidence, indexOf(claim)).begin.seq;
  const next = itemsOf(evidence.data, 'step').find(
    ({ phase, index }) => phase === 'begin' && index === indexOf(claim) + 1,
  );
  const first = indexOf(claim) === 0;
  return itemsOf(evidence.data, kind).filter(
    ({ seq }: { seq: number }) => (first || seq > from) && (!next || seq < next.seq),
  );
}

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
  'step-calls': (claim, evidence) =>
    bySide(claim, within(claim, evidence, 'verb'), 'the verb events of the step'),
  'step-objects': (claim, evidence) => {
    const left = Object.entries(objectsAfter(claim, evidence)).filter(([, n]) => n > 0);
    if (claim.text === 'none') return claim.equal(0, 'the calls that make and destroy', String(left.length));
    const parts = claim.match(/^every attribute of (?<list>.+)$/).list!.split(', ');
    const shown = parts.map((part) => part.replace(/s$/, ''));
    claim.equal(
      left.map(([kind, n]) => `${n} ${kind}`).join(', '),
      'the calls that make and destroy',
      shown.join(', '),
    );
  },
  'step-fact': (claim, evidence) => {
    const road = FACTS[claim.data('fact')];
    if (!road) return claim.fail('the figures that the audit knows', Object.keys(FACTS).join(', '));
    road(claim, evidence);
  },
  'step-counted': countedOf,
  'qp-state': (claim, { data }) => {
    const role = claim.data('qp-endpoint').toLowerCase();
    claim.equal(
      stateAfter(data, role, indexOf(claim)),
      'the calls of ibv_create_qp, ibv_modify_qp, ibv_destroy_qp',
    );
  },
};

/** Checks a line such as `1 by the client, 0 by the server`. */
function bySide(claim: Claim, events: readonly { endpoint?: string | undefined }[], road: string): void {
  for (const part of claim.text.split(', ')) {
    const { n, side } = claim.match(/^(?<n>\d+) by the (?<side>\w+)$/, part);
    claim.count(events.filter(({ endpoint }) => endpoint === side).length, road, n);
  }
}

/** Number of objects of each kind at the begin of the next step, by the calls that make and destroy them. */
function objectsAfter(claim: Claim, { data }: Evidence): Record<string, number> {
  const next = itemsOf(data, 'step').find(
    ({ phase, index }) => phase === 'begin' && index === indexOf(claim) + 1,
  );
  const counts: Record<string, number> = {};
  for (const { call, seq } of itemsOf(data, 'verb')) {
    if (next && seq > next.seq) continue;
    const { deed, kind } =
      /^ibv_(?<deed>alloc|reg|create|dealloc|dereg|destroy)_(?<kind>pd|mr|cq|qp)$/.exec(call)?.groups ?? {};
    if (!deed || !kind) continue;
    counts[kind.toUpperCase()] = (counts[kind.toUpperCase()] ?? 0) + (/^de/.test(deed) ? -1 : 1);
  }
  return counts;
}

/** Figures of a step by their names. */
const FACTS: Roads<Evidence> = {
  request: (claim, evidence) => {
    const { time } = claim.match(/^CQE (?<time>.+) after the post$/);
    const own = within(claim, evidence, 'wr');
    const [wr] = own;
    claim.equal(1, 'the requests of the step', String(own.length));
    claim.quantity(wr!.cqe! - wr!.posted, 'its stamps, CQE less posted', time);
  },
  packets: (claim, evidence) => {
    const packets = packetsInStep(claim, evidence);
    const names = claim.text.split(', ');
    claim.equal(packets.length, 'tshark', String(names.length));
    const first = flowPackets(evidence).write[0]!.psn;
    names.forEach((name, i) => {
      const { label, psn } = claim.match(/^(?<label>.+) \+(?<psn>\d+)$/, name);
      const packet = packets[i]!;
      claim.equal((packet.psn - first) & 0xff_ffff, 'the PSN by tshark, less that of the first packet', psn);
      claim.equal(labelOf(packet).replace(/ \d+$/, '').toLowerCase(), 'tshark', label!.toLowerCase());
    });
  },
  completions: (claim, evidence) =>
    bySide(claim, within(claim, evidence, 'completion'), 'the completion events of the step'),
  gid: (claim, evidence) =>
    claim.equal(
      [...new Set(['client', 'server'].map((side) => ON_THE_WIRE.gid!(evidence, side)))].join(', '),
      'tshark',
    ),
  mtu: (claim, evidence) => claim.equal(ON_THE_WIRE.mtu!(evidence, 'client'), 'tshark'),
  keys: (claim, evidence) => {
    const { client, server } = claim.match(
      /^(?<client>0x[0-9a-f]+) of the client, (?<server>0x[0-9a-f]+) of the server$/,
    );
    claim.equal(ON_THE_WIRE.rkey!(evidence, 'server'), 'tshark', server);
    // The client's own key never leaves it.
    const made = within(claim, evidence, 'verb').find(
      ({ call, endpoint }) => call === 'ibv_reg_mr' && endpoint === 'client',
    );
    claim.equal(String((made!.result as { rkey: string }).rkey), 'the verb event', client);
  },
  states: (claim, { data }) => {
    for (const part of claim.text.split(', ')) {
      const { side, from, to } = claim.match(/^(?<side>\w+) (?<from>\w+) → (?<to>\w+)$/, part);
      const road = 'the calls of ibv_create_qp and ibv_modify_qp';
      claim.equal(stateAfter(data, side!.toLowerCase(), indexOf(claim) - 1), road, from);
      claim.equal(stateAfter(data, side!.toLowerCase(), indexOf(claim)), road, to);
    }
  },
  longest: (claim, evidence) => {
    const { call, time } = claim.match(/^(?<call>\w+), (?<time>.+)$/);
    const longest = within(claim, evidence, 'verb').reduce((a, b) => (b.durationNs > a.durationNs ? b : a));
    claim.equal(longest.call, 'the verb events of the step', call);
    claim.quantity(longest.durationNs, 'the verb event', time);
  },
};

/** What decides the question before a step: `3 packets (WRITE) by the client`. */
function countedOf(claim: Claim, evidence: Evidence): void {
  for (const part of claim.text.split('; ')) {
    const { n, what, call, of, word, side, far } = claim.match(
      /^(?<n>\d+) (?<what>calls?|packets?|completions?|exchanges? outside of RDMA|asynchronous events?)(?: of (?<call>\w+))?(?: \((?<of>[^)]+)\))?(?: with (?<word>\w+))?(?: (?:at|by) the (?<side>\w+))?(?<far> so far)?$/,
      part,
    );
    const steps =
      far === undefined ? [indexOf(claim)] : Array.from({ length: indexOf(claim) + 1 }, (_, i) => i);
    const all = steps.map((step) => claim.about({ 'at-step': String(step) }));
    const at = ({ endpoint }: { endpoint?: string | undefined }): boolean =>
      side === undefined || endpoint === side;
    const count = all.reduce((sum, one) => {
      if (what!.startsWith('packet'))
        return (
          sum +
          packetsInStep(one, evidence).filter(
            (packet) =>
              (side === undefined || packet.sent === (side === 'client')) &&
              labelOf(packet)
                .toLowerCase()
                .startsWith((of ?? '').toLowerCase()),
          ).length
        );
      if (what!.startsWith('call'))
        return (
          sum +
          within(one, evidence, 'verb').filter(
            (e) =>
              at(e) &&
              (call === undefined || e.call === call) &&
              (word === undefined || JSON.stringify(e.args).includes(`"${word}"`)),
          ).length
        );
      if (what!.startsWith('completion')) return sum + within(one, evidence, 'completion').filter(at).length;
      if (what!.startsWith('exchange'))
        return (
          sum +
          within(one, evidence, 'exchange').filter(({ from }) => side === undefined || from === side).length
        );
      return sum + within(one, evidence, 'async').filter(at).length;
    }, 0);
    claim.count(count, 'the events of the step, and tshark', n);
  }
}

/** Packets that left between the begin of the step and the begin of the next. */
function packetsInStep(claim: Claim, evidence: Evidence): WirePacket[] {
  const from = stepOf(evidence, indexOf(claim)).begin.t;
  const next = itemsOf(evidence.data, 'step').find(
    ({ phase, index }) => phase === 'begin' && index === indexOf(claim) + 1,
  );
  return evidence.packets.filter((packet) => {
    const t = runTime(evidence, packet);
    return t >= from && (!next || t < next.t);
  });
}

/** State of a QP at the begin of the next step, by the verbs calls. */
function stateAfter(data: Evidence['data'], role: string, step: number): string {
  const next = itemsOf(data, 'step').find(({ phase, index }) => phase === 'begin' && index === step + 1);
  let state = 'no QP';
  for (const { call, endpoint, args, seq } of itemsOf(data, 'verb')) {
    if (endpoint !== role || (next && seq > next.seq)) continue;
    if (call === 'ibv_create_qp') state = 'RESET';
    if (call === 'ibv_modify_qp') state = (args.attr as { qp_state: string }).qp_state;
    if (call === 'ibv_destroy_qp') state = 'no QP';
  }
  return state;
}
