import { WR_OPCODES, type ProgramEvent } from '@verbslab/protocol';
import type { FeedLife } from './messages.js';

const WR_NAMES: readonly string[] = WR_OPCODES;

/** wr_id as a JSON number: the low half of one that is too large. */
export function wrIdOf(value: bigint): number {
  return Number(value <= BigInt(Number.MAX_SAFE_INTEGER) ? value : BigInt.asUintN(32, value));
}

/** The life of a work request as an event of the run. `at`: from the process’s clock to the run’s. */
export function lifeEvent(
  life: FeedLife,
  at: (t: number) => number,
): Omit<Extract<ProgramEvent, { kind: 'wr' }>, 't'> {
  const moment = (t: number): number | null => (t === 0 ? null : at(t));
  const { qpn, byteLen, status } = life;
  return {
    kind: 'wr',
    qpn,
    wrId: wrIdOf(life.wrId),
    opcode: WR_NAMES[life.opcode] ?? `opcode ${life.opcode}`,
    byteLen,
    status,
    posted: at(life.posted),
    firstTx: moment(life.firstTx),
    lastTx: moment(life.lastTx),
    acked: moment(life.acked),
    cqe: moment(life.cqe),
    polled: moment(life.polled),
  };
}
