/** Path of a work request through the machine, stage by stage, by the times in the record. */
import { arrowLabel, type Analysis } from '@verbslab/roce';
import { count } from '../../format/number';
import { runPackets } from '../packet-rows';
import type { RunModel } from '../run-model';
import { bookOf } from './book';
import { workMemoryOf, type WorkMemory } from './work-memory';
import type { Machine, MachinePart } from './machine';
import { messageOfWork, packetsOfMessage } from './work-message';
import type { Work } from './work';

/** A place in the picture. */
export interface Spot {
  endpoint: string;
  /** `lost`: on the wire, where fault injection dropped the packet. */
  at: 'program' | 'device' | 'SQ' | 'RQ' | 'CQ' | 'MR' | 'lost';
  /** Object that the place belongs to. */
  object: string | null;
}

export interface Stage {
  id: 'posted' | 'packet' | 'packets' | 'cqe' | 'polled';
  label: string;
  /** Nanoseconds since the run was created. */
  t: number;
  from: Spot;
  /** Place on the way: the RECV that a SEND consumes. */
  via: Spot | null;
  to: Spot;
  /** Index of the packet in the list of the run. */
  packet: number | null;
  /** Payload bytes at their destination when the stage is over. */
  landed: number;
}

export interface Travel {
  work: Work;
  stages: readonly Stage[];
  /** Memory at the destination of the payload; null if not recorded. */
  landing: WorkMemory | null;
  /** True if its packets are known. */
  hasPackets: boolean;
}

/** Packets with stages of their own; with more packets, the middle ones share a stage. */
const EACH = 6;

/** Send requests posted from `from` to before `to`, in order. */
export function sentWithin(run: RunModel, from: number, to: number): Work[] {
  const book = bookOf(run);
  return book.objects
    .filter(({ kind }) => kind === 'QP')
    .flatMap((qp) => book.workOf(qp, 'SQ').filter(({ posted }) => posted >= from && posted < to))
    .sort((a, b) => a.posted - b.posted);
}

/** `machine`: at a time at which the objects exist. `analysis`: of the packets of the run; null if there are none. */
export function travelOf(run: RunModel, machine: Machine, work: Work, analysis: Analysis | null): Travel {
  const parts = machine.hosts.flatMap(({ processes }) => processes.flatMap((one) => [...one.parts]));
  const qp = parts.find(
    (one) => one.kind === 'QP' && one.endpoint === work.endpoint && one.number === work.qpn,
  );
  const own = work.endpoint;
  const spot = (at: Spot['at'], object: string | null = null): Spot => ({ endpoint: own, at, object });
  const found = qp && analysis ? messageOfWork(run, qp, work, analysis) : null;
  const to = found && analysis!.rows[found.message.requests[0]!]!.destQp;
  const peer =
    parts.find(({ id }) => id === qp?.peer) ??
    // A datagram names its QP in the packet.
    parts.find(({ kind, number, id }) => kind === 'QP' && number === to && id !== qp?.id);
  const landing =
    qp && peer ? workMemoryOf(run, { parts, qp, peer, work, received: found?.received ?? 0 }) : null;
  const stages: Stage[] = [
    {
      ...{ id: 'posted', label: `${work.opcode} posted`, t: work.posted, packet: null, landed: 0 },
      ...{ from: spot('program'), via: null, to: spot('SQ', qp?.id ?? null) },
    },
  ];
  if (qp && peer && found)
    stages.push(...grouped(carried(run, { work, qp, peer, landing, analysis: analysis!, ...found })));
  const landed = stages.at(-1)!.landed;
  if (work.cqe !== null)
    stages.push({
      ...{ id: 'cqe', label: 'CQE written', t: work.cqe, packet: null, landed },
      ...{ from: spot('device'), via: null, to: spot('CQ', qp?.sendCq ?? null) },
    });
  if (work.polled !== null)
    stages.push({
      ...{ id: 'polled', label: work.cqe === null ? 'completion polled' : 'CQE polled', t: work.polled },
      ...{ packet: null, landed },
      ...{ from: spot('CQ', qp?.sendCq ?? null), via: null, to: spot('program') },
    });
  return { work, stages, landing, hasPackets: found !== null };
}

interface Carried {
  work: Work;
  qp: MachinePart;
  peer: MachinePart;
  landing: WorkMemory | null;
  analysis: Analysis;
  message: Analysis['messages'][number];
}

/** Stages for the packets of the request and of its responses, one per packet. */
function carried(run: RunModel, about: Carried): Stage[] {
  const { work, qp, peer, landing, analysis, message } = about;
  const device = ({ endpoint }: MachinePart): Spot => ({ endpoint, at: 'device', object: null });
  const region = (one: MachinePart, object: string | null): Spot =>
    object === null ? device(one) : { endpoint: one.endpoint, at: 'MR', object };
  const reads = work.opcode.startsWith('RDMA_READ') || work.opcode.startsWith('ATOMIC');
  const source = region(qp, landing?.local ?? null);
  const remote = region(peer, landing?.remote ?? null);
  const receive: Spot | null = landing?.receive
    ? { endpoint: peer.endpoint, at: 'RQ', object: landing.receive }
    : null;
  const requests = new Set(message.requests);
  const rows = runPackets(run.packets);
  const seen = new Set<number>();
  let landed = 0;
  return packetsOfMessage(message, analysis).map((index) => {
    const row = analysis.rows[index]!;
    const outward = requests.has(index);
    const lost = rows.lost(index);
    const again = analysis.marks.get(index)?.includes('retransmission') ?? false;
    const moves = row.payloadLength > 0;
    if (moves && !lost && outward !== reads && !seen.has(row.psn ?? -1)) {
      seen.add(row.psn ?? -1);
      landed += row.payloadLength;
    }
    // Neither an ACK nor a NAK moves memory.
    const [from, to] = outward
      ? [moves ? source : device(qp), moves ? remote : device(peer)]
      : [moves ? remote : device(peer), moves ? source : device(qp)];
    return {
      ...{ id: 'packet', t: row.t, packet: index, landed },
      label: [arrowLabel(row), again ? 'sent again' : '', lost ? 'dropped' : ''].filter(Boolean).join(', '),
      ...{ from, via: outward && moves && !lost ? receive : null },
      to: lost ? { endpoint: peer.endpoint, at: 'lost', object: null } : to,
    };
  });
}

function grouped(carried: readonly Stage[]): Stage[] {
  if (carried.length <= EACH) return [...carried];
  const [first, middle, last] = [carried.slice(0, 2), carried.slice(2, -2), carried.slice(-2)];
  const group: Stage = {
    ...middle[0]!,
    ...{ id: 'packets', label: `${count(middle.length)} more packets`, landed: middle.at(-1)!.landed },
  };
  return [...first, group, ...last];
}
