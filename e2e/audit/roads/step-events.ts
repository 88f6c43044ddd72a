// Events of a step, and the values with which its sides connect, as other tools see them.
import type { Claim } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type ItemOf } from '../export.js';
import type { WirePacket } from '../wire.js';
import { flowPackets } from './flow-checks.js';
import { hex6 } from './packets.js';

/** Time of a packet on the run's clock, ns. */
export const runTime = ({ data }: Evidence, packet: WirePacket): number =>
  Number(packet.timeNs - BigInt(data.run.createdAt) * 1_000_000n);

/** The values with which the sides connect, as they appear in the packets. */
export const ON_THE_WIRE: Readonly<Record<string, (evidence: Evidence, from: string) => string>> = {
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

export const reth = (evidence: Evidence) => flowPackets(evidence).write[0]!.remote!;

/** An attribute that ibv_modify_qp set at an endpoint. */
export function attrOf({ data }: Evidence, endpoint: string, name: string): unknown {
  for (const event of itemsOf(data, 'verb')) {
    const attr = event.args.attr as Record<string, unknown> | undefined;
    if (event.call === 'ibv_modify_qp' && event.endpoint === endpoint && attr?.[name] !== undefined)
      return attr[name];
  }
  return undefined;
}

export function stepOf({ data }: Evidence, index: number) {
  const steps = itemsOf(data, 'step').filter((event) => event.index === index);
  const of = (phase: 'begin' | 'end') => steps.find((event) => event.phase === phase)!;
  return { begin: of('begin'), end: of('end') };
}

/** Index of the page's step. */
export const indexOf = (claim: Claim): number => Number(claim.data('at-step'));

/** Events of a kind between the begin of a step and the begin of the next, in the order of the stream. */
export function within<K extends 'verb' | 'completion' | 'wr' | 'exchange' | 'async'>(
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

/** Packets that left between the begin of the step and the begin of the next. */
export function packetsInStep(claim: Claim, evidence: Evidence): WirePacket[] {
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
export function stateAfter(data: Evidence['data'], role: string, step: number): string {
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
