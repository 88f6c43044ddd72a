/** The way of one work request through the machine, stage by stage, by the times that the record has. */
import { arrowLabel, type PacketRow } from '@verbslab/roce';
import { count } from '../../../format/number';
import type { RunModel } from '../run-model';
import { bookOf } from './book';
import type { Machine, MachinePart } from './machine';
import type { Work } from './work';

/** A place in the picture. */
export interface Spot {
  endpoint: string;
  at: 'program' | 'device' | 'SQ' | 'RQ' | 'CQ' | 'MR';
  /** The object that it belongs to. */
  object: string | null;
}

export interface Stage {
  /** `posted`, `packet`, `packets`, `cqe` or `polled`. */
  id: 'posted' | 'packet' | 'packets' | 'cqe' | 'polled';
  label: string;
  /** Nanoseconds since the run was created. */
  t: number;
  from: Spot;
  to: Spot;
  /** Index of the packet in the list of the run. */
  packet: number | null;
}

export interface Travel {
  work: Work;
  stages: readonly Stage[];
}

/** Packets that are stages of their own; of more the middle ones are one stage. */
const EACH = 6;

/** Send requests that were posted from `from` to `to`, in order. */
export function sentWithin(run: RunModel, from: number, to: number): Work[] {
  const book = bookOf(run);
  return book.objects
    .filter(({ kind }) => kind === 'QP')
    .flatMap((qp) => book.workOf(qp, 'SQ').filter(({ posted }) => posted >= from && posted < to))
    .sort((a, b) => a.posted - b.posted);
}

/** `machine`: of a time at which the objects were there. `packets`: indices of those of the step. */
export function travelOf(
  run: RunModel,
  machine: Machine,
  work: Work,
  packets: readonly number[],
  rowAt: (index: number) => PacketRow | undefined,
): Travel {
  const parts = machine.hosts.flatMap(({ processes }) => processes.flatMap((one) => [...one.parts]));
  const qp = parts.find(
    (one) => one.kind === 'QP' && one.endpoint === work.endpoint && one.number === work.qpn,
  );
  const peer = parts.find(({ id }) => id === qp?.peer);
  const own = work.endpoint;
  const spot = (at: Spot['at'], object: string | null = null, endpoint = own): Spot => ({
    ...{ endpoint, at, object },
  });
  const stages: Stage[] = [
    {
      ...{ id: 'posted', label: `${work.opcode} posted`, t: work.posted, packet: null },
      from: spot('program'),
      to: spot('SQ', qp?.id ?? null),
    },
  ];
  const end = work.cqe ?? work.life?.acked ?? work.polled ?? Infinity;
  const carried: Stage[] = [];
  for (const index of packets) {
    const packet = run.packets.all[index];
    const row = rowAt(index);
    if (!packet || !row || !peer || packet.t < work.posted || packet.t > end) continue;
    const source = run.sources.get(packet.source);
    const tap = source?.endpoint ?? source?.role ?? '';
    const outward = (packet.direction === 'sent') === (tap === own);
    const goesTo = outward ? peer : qp!;
    if (row.destQp !== goesTo.number) continue;
    carried.push({
      ...{ id: 'packet', label: arrowLabel(row), t: packet.t, packet: index },
      ...ways({ work, qp: qp!, peer, parts, outward, payload: row.payloadLength > 0, rkey: row.rkey }),
    });
  }
  stages.push(...grouped(carried));
  if (work.cqe !== null)
    stages.push({
      ...{ id: 'cqe', label: 'CQE written', t: work.cqe, packet: null },
      from: spot('device'),
      to: spot('CQ', qp?.sendCq ?? null),
    });
  if (work.polled !== null)
    stages.push({
      ...{ id: 'polled', label: work.cqe === null ? 'completion polled' : 'CQE polled', t: work.polled },
      packet: null,
      from: spot('CQ', qp?.sendCq ?? null),
      to: spot('program'),
    });
  return { work, stages };
}

/** Where a packet comes from, and what takes it. */
function ways(about: {
  work: Work;
  qp: MachinePart;
  peer: MachinePart;
  parts: readonly MachinePart[];
  outward: boolean;
  payload: boolean;
  rkey: number | undefined;
}): { from: Spot; to: Spot } {
  const { work, qp, peer, parts, outward, payload, rkey } = about;
  const device = (one: MachinePart): Spot => ({ endpoint: one.endpoint, at: 'device', object: null });
  const memory = (one: MachinePart, key: number | null): Spot => {
    const mr = parts.find(
      ({ kind, endpoint, number }) => kind === 'MR' && endpoint === one.endpoint && number === key,
    );
    return mr ? { endpoint: one.endpoint, at: 'MR', object: mr.id } : device(one);
  };
  const remote = memory(peer, rkey ?? work.rkey);
  const local = memory(qp, work.lkey);
  // An ACK moves no memory, and neither does a NAK.
  if (!outward) return payload ? { from: remote, to: local } : { from: device(peer), to: device(qp) };
  const send = work.opcode.startsWith('SEND');
  const receive: Spot = { endpoint: peer.endpoint, at: 'RQ', object: peer.srq ?? peer.id };
  return { from: payload ? local : device(qp), to: send ? receive : remote };
}

function grouped(carried: readonly Stage[]): Stage[] {
  if (carried.length <= EACH) return [...carried];
  const [first, middle, last] = [carried.slice(0, 2), carried.slice(2, -2), carried.slice(-2)];
  return [...first, { ...middle[0]!, id: 'packets', label: `${count(middle.length)} more packets` }, ...last];
}
