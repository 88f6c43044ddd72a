/** What a rule of a standstill says, and words that rules share. */
import { plural } from '@verbslab/labs';
import type { CallPlace } from '@verbslab/protocol';
import { cqOf, type StillFacts, type StillProcess } from './facts.js';

export interface StillRequest {
  opcode: string;
  wrId: string;
  length: number;
  psn: number;
  posted: number | null;
}

/** A place in the program, with what happened there: `posted at`. */
export interface StillPlace {
  what: string;
  place: CallPlace;
}

export type StillKind =
  | 'rnr'
  | 'ack'
  | 'unsent'
  | 'events'
  | 'full'
  | 'unpolled'
  | 'error'
  | 'peer-gone'
  | 'receive';

export interface Standing {
  kind: StillKind;
  /** Without its time and without a full stop, from its second word on: `SEND (wr_id 250) on QP … waits for …`. */
  sentence: string;
  endpoint: string;
  request: StillRequest | null;
  qpn: number | null;
  /** Time from which nothing moved, ns of the run. */
  since: number;
  /** What was recorded, a sentence each. The first ones say why it waits. */
  saw: string[];
  cure: string;
  places: StillPlace[];
  ruledOut: string[];
}

/** `now`: the time of the question, ns of the run. */
export type Rule = (of: StillProcess, facts: StillFacts, now: number) => Standing[];
export const placed = (...places: [what: string, place: CallPlace | null][]): StillPlace[] =>
  places.flatMap(([what, place]) => (place === null ? [] : [{ what, place }]));

/** Adds what is known of a CQ to what is ruled out. */
export function aboutCq(of: StillProcess, number: number, ruled: string[]): void {
  const cq = cqOf(of, number);
  if (cq === undefined) return;
  if (cq.completions === 0) ruled.push(`CQ ${number} holds no completion that was not polled.`);
  if (cq.polling) ruled.push(`The program polls CQ ${number}.`);
  else if (cq.waiters > 0)
    ruled.push(
      `${plural(cq.waiters, 'thread')} of the program ${cq.waiters === 1 ? 'waits' : 'wait'} in ibv_get_cq_event for CQ ${number}.`,
    );
}
