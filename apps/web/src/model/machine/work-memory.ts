/** Memory at both ends of a work request. */
import type { RunModel } from '../run-model';
import { bookOf } from './book';
import type { MachinePart } from './machine';
import type { MachineObject } from './object';
import type { Work } from './work';

export interface WorkMemory {
  /** Regions here and at the peer; null if the record does not name them. */
  local: string | null;
  remote: string | null;
  /** Queue whose RECV a SEND consumes. */
  receive: string | null;
  /** Destination of the payload. */
  into: { region: MachinePart; offset: number; bytes: number } | null;
}

export function workMemoryOf(
  run: RunModel,
  about: {
    parts: readonly MachinePart[];
    qp: MachinePart;
    peer: MachinePart;
    work: Work;
    /** Messages of the QP that consumed a RECV before this one. */
    received: number;
  },
): WorkMemory {
  const { parts, qp, peer, work, received } = about;
  const regionOf = ({ endpoint }: MachinePart, key: number | null): MachinePart | undefined =>
    parts.find((one) => one.kind === 'MR' && one.endpoint === endpoint && one.number === key && key !== null);
  const local = regionOf(qp, work.lkey);
  const receives = work.opcode.startsWith('SEND');
  const taken = receives ? receiveOf(run, peer, received) : null;
  const remote = regionOf(peer, receives ? (taken?.lkey ?? null) : work.rkey);
  const back = work.opcode.startsWith('RDMA_READ');
  const region = back ? local : remote;
  const start = back ? work.localAddr : receives ? (taken?.localAddr ?? null) : work.remoteAddr;
  const base = Number(region?.attrs.addr);
  const offset = start === null ? NaN : start - base;
  const length = Number(region?.attrs.length);
  const inside = offset >= 0 && offset + work.bytes <= length;
  return {
    local: local?.id ?? null,
    remote: remote?.id ?? null,
    receive: receives ? (peer.srq ?? peer.id) : null,
    into: region && inside && work.bytes > 0 ? { region, offset, bytes: work.bytes } : null,
  };
}

/**
 * The RECV that a message consumed. RECVs are consumed in the order of posting; the completion of a shared one names
 * its QP.
 */
export function receiveOf(run: RunModel, peer: MachineObject, received: number): Work | null {
  const book = bookOf(run);
  if (peer.srq === null) return book.workOf(peer, 'RQ')[received] ?? null;
  const srq = book.objects.find(({ id }) => id === peer.srq);
  const taken = srq ? book.workOf(srq, 'SRQ').filter(({ qpn }) => qpn === peer.number) : [];
  return taken[received] ?? null;
}
