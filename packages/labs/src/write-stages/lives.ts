/** The lives of WRITEs, combined from the records of program, device and the server’s capture. Pure functions. */
import type { PacketSummary, RequestStamps, TracedWrite } from '@verbslab/protocol';
import { isNak, RC } from '@verbslab/roce';
import { WRITE } from '../wire/messages.js';
import type { Moment, Stage } from './stages.js';

/** ns on the run’s clock; null where it is not known. */
export type Life = Record<Moment, number | null>;

/** A WRITE at the server: the times at which its last packet arrived and the ACK to that left. */
export interface AtServer {
  arrived: number | null;
  answered: number | null;
  /** The last packet came more than once. */
  repeated: boolean;
}

/** The WRITEs of a capture at the server, in which one follows the other. */
export function atServer(packets: readonly PacketSummary[]): AtServer[] {
  const byPsn = new Map<number, AtServer>();
  for (const { direction, opcode, psn, syndrome, t = null } of packets) {
    const known = byPsn.get(psn);
    if (direction === 'received' && (opcode === WRITE.last || opcode === WRITE.only)) {
      if (known) known.repeated = true;
      else byPsn.set(psn, { arrived: t, answered: null, repeated: false });
    } else if (direction === 'sent' && opcode === RC.acknowledge && !isNak(syndrome) && known)
      known.answered ??= t;
  }
  return [...byPsn.values()];
}

/** `stamps` and `server` are empty where the devices do not have them. */
export function livesOf(
  writes: readonly TracedWrite[],
  firstId: number,
  stamps: readonly RequestStamps[],
  server: readonly AtServer[],
): Life[] {
  const stampsById = new Map(stamps.map((one) => [one.wrId, one]));
  return writes.map((write, i) => {
    const stamped = stampsById.get(firstId + i);
    const { arrived = null, answered = null } = server[i] ?? {};
    return {
      ...write,
      posted: stamped?.posted ?? null,
      firstTx: stamped?.firstTx ?? null,
      lastTx: stamped?.lastTx ?? null,
      acked: stamped?.acked ?? null,
      cqe: stamped?.cqe ?? null,
      polled: stamped?.polled ?? null,
      arrived,
      answered,
    };
  });
}

/** Durations of the stages of a life, ns; null where a moment is missing. */
export function lengths(life: Life, stages: readonly Stage[]): number[] | null {
  const parts = stages.map(({ from, to }) => {
    const [begin, end] = [life[from], life[to]];
    return begin === null || end === null ? NaN : end - begin;
  });
  return parts.some(Number.isNaN) ? null : parts;
}
