import { u16 } from '../base/bytes.js';
import type { Frame } from './frame.js';
import { pause, pfc, PRIORITIES } from '../headers/mac-control.js';

/** Bit times per quantum. */
export const QUANTUM_BITS = 512;

/** Content of a pause frame. */
export interface Pause {
  /** Priorities to pause; null for PAUSE, which pauses all. */
  priorities: number[] | null;
  /** Quanta for each of `priorities`; one number for PAUSE. */
  quanta: number[];
}

/** Returns null for other packets. */
export function pauseOf(bytes: Uint8Array, frame: Frame): Pause | null {
  const { headers } = frame;
  const last = headers.count - 1;
  const header = last < 0 ? null : headers.header(last);
  if (header !== pfc && header !== pause) return null;
  const at = headers.offset(last);
  if (header === pause) return { priorities: null, quanta: [u16(bytes, at + 2)] };
  const enabled = bytes[at + 3]!;
  const priorities: number[] = [];
  for (let i = 0; i < PRIORITIES; i++) if (enabled & (1 << i)) priorities.push(i);
  return { priorities, quanta: priorities.map((i) => u16(bytes, at + 4 + 2 * i)) };
}

const asked = (quanta: number): string => (quanta === 0 ? 'go on' : `pause for ${quanta} quanta`);

export function pauseText({ priorities, quanta }: Pause): string {
  if (!priorities) return `PAUSE: ${asked(quanta[0]!)}`;
  if (priorities.length === 0) return 'PFC: no priority';
  return `PFC ${priorities.map((p, i) => `priority ${p}: ${asked(quanta[i]!)}`).join(', ')}`;
}
