import { psnDistance } from '../models/psn.js';
import type { PacketFacts } from './facts.js';
import type { MessagePart } from './messages.js';
import type { Run } from './runs.js';

/** Requests that are kept until it is known whether they begin a new connection. */
const HELD = 1 << 10;

/** A request as it is seen again when its connection turns out to be a new one. */
export interface HeldRequest extends MessagePart {
  position: number;
  span: number;
  number: number;
  t: number;
  /** Whether it was new in the old connection. */
  fresh: boolean;
}

/** Requests that go back or jump and may begin a new connection of the same QP number. */
interface Doubt {
  psn: number;
  position: number;
  /** Nothing was on the wire for long before. */
  quiet: boolean;
  run: Run | null;
  /** The end of the run, if it came before the doubt was settled. */
  ended: (() => void) | null;
  gap: object | null;
  requests: HeldRequest[];
}

/** Tells whether requests that go back or jump begin a new connection of the same QP number. */
export class Reuse {
  #doubt: Doubt | null = null;

  begin(doubt: Omit<Doubt, 'ended' | 'requests'>): void {
    this.#doubt = { ...doubt, ended: null, requests: [] };
  }

  /** What may begin a new connection, and is done with. */
  take(): Doubt {
    const doubt = this.#doubt!;
    this.#doubt = null;
    return doubt;
  }

  hold(p: PacketFacts, position: number, span: number, fresh: boolean): void {
    const doubt = this.#doubt;
    if (!doubt || position < doubt.position) return;
    if (doubt.requests.length === HELD) return this.settle();
    const { info, kind, payload, dmaLength, cm, marks, number, t } = p;
    doubt.requests.push({ info, kind, payload, dmaLength, cm, marks, number, t, position, span, fresh });
  }

  /** It is the old connection. */
  settle(): void {
    const doubt = this.#doubt;
    this.#doubt = null;
    doubt?.ended?.();
  }

  /** Another run begins, so that it is the old connection if this one ended. */
  settleEnded(): void {
    if (this.#doubt?.ended) this.settle();
  }

  /** Whether the answer to a position tells. */
  concerns(position: number): boolean {
    return this.#doubt !== null && position >= this.#doubt.position;
  }

  /** The run is a part of another one. */
  drop(run: Run): void {
    if (this.#doubt?.run === run) this.#doubt = null;
  }

  replace(run: Run, by: Run): void {
    if (this.#doubt?.run === run) this.#doubt.run = by;
  }

  /** Whether the end of a run has to wait. */
  defer(run: Run, ended: () => void): boolean {
    if (this.#doubt?.run !== run) return false;
    this.#doubt.ended = ended;
    return true;
  }

  /**
   * The responder of a new connection counts messages from the start: an MSN that falls, and is no more than the requests
   * since then can explain, shows that the QP number was used again. `msn`: of the answer before; `acknowledged`: all
   * positions before it are.
   */
  fallen(p: PacketFacts, position: number, msn: number, acknowledged: number): boolean {
    const doubt = this.#doubt;
    // A response may be one from before, sent once more with its MSN of then.
    if (!doubt?.quiet || position < doubt.position || p.kind !== 'ack' || p.msn < 0) return false;
    const whole = doubt.requests.filter(({ info }) => info!.last);
    const grown = psnDistance(msn, p.msn);
    if (grown < 0) return p.msn <= whole.length;
    // After as many messages the MSN is the same, though the old connection would have counted on.
    const elsewhere = doubt.gap !== null || position + 1 < acknowledged;
    return grown === 0 && elsewhere && p.msn === whole.filter((each) => each.position <= position).length;
  }
}
