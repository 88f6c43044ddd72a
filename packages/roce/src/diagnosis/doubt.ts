import type { MessagePart } from './messages.js';
import type { Run } from './runs.js';

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
export interface Doubt {
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
