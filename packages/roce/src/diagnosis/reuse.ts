import { psnDistance } from '../models/psn.js';
import type { PacketFacts } from './facts.js';
import type { MessagePart } from './messages.js';
import type { Run } from './runs.js';

/** Limit of requests that are kept until it is known if they begin a new connection. */
const HELD = 1 << 10;

/** A request that is kept to be counted again if its connection turns out to be a new one. */
export interface HeldRequest extends MessagePart {
  position: number;
  span: number;
  number: number;
  t: number;
  /** True if the request was new in the old connection. */
  fresh: boolean;
}

/** Requests that go back or jump and may begin a new connection of the same QP number. */
interface Doubt {
  psn: number;
  position: number;
  /** True if nothing was on the wire for long before. */
  quiet: boolean;
  run: Run | null;
  /** Callback for the end of the run, if the run ended before the doubt was settled. */
  ended: (() => void) | null;
  gap: object | null;
  requests: HeldRequest[];
}

/** Decides if requests that go back or jump begin a new connection of the same QP number. */
export class Reuse {
  #doubt: Doubt | null = null;

  begin(doubt: Omit<Doubt, 'ended' | 'requests'>): void {
    this.#doubt = { ...doubt, ended: null, requests: [] };
  }

  /** Returns the doubt and ends it. */
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

  /** Ends the doubt: the requests belong to the old connection. */
  settle(): void {
    const doubt = this.#doubt;
    this.#doubt = null;
    doubt?.ended?.();
  }

  /** Ends the doubt if its run has ended: another run begins, so the requests belong to the old connection. */
  settleEnded(): void {
    if (this.#doubt?.ended) this.settle();
  }

  /** True if the answer to a position can end the doubt. */
  concerns(position: number): boolean {
    return this.#doubt !== null && position >= this.#doubt.position;
  }

  /** Ends the doubt about a run that is part of another run. */
  drop(run: Run): void {
    if (this.#doubt?.run === run) this.#doubt = null;
  }

  replace(run: Run, by: Run): void {
    if (this.#doubt?.run === run) this.#doubt.run = by;
  }

  /** Returns true and keeps the callback if the end of a run has to wait. */
  defer(run: Run, ended: () => void): boolean {
    if (this.#doubt?.run !== run) return false;
    this.#doubt.ended = ended;
    return true;
  }

  /**
   * True if the QP number was used again. The responder of a new connection counts messages from the start, so its MSN
   * falls to no more than the requests since then can explain. `msn`: MSN of the previous answer; `acknowledged`: all
   * positions before it are.
   */
  fallen(p: PacketFacts, position: number, msn: number, acknowledged: number): boolean {
    const doubt = this.#doubt;
    // Responses do not count: one may be an old response that was sent again with its old MSN.
    if (!doubt?.quiet || position < doubt.position || p.kind !== 'ack' || p.msn < 0) return false;
    const whole = doubt.requests.filter(({ info }) => info!.last);
    const grown = psnDistance(msn, p.msn);
    if (grown < 0) return p.msn <= whole.length;
    // A new connection reaches the same MSN after as many messages. The old connection would have counted on.
    const elsewhere = doubt.gap !== null || position + 1 < acknowledged;
    return grown === 0 && elsewhere && p.msn === whole.filter((each) => each.position <= position).length;
  }
}
