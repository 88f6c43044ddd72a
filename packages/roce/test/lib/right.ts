// The right answer to a capture: its findings and its counts.
import { expect } from 'vitest';
import { goodBytes } from './traffic.js';
import type { Diagnosis } from '../../src/index.js';

/** Findings that describe any capture. */
const ALWAYS = new Set(['goodput', 'mtu', 'both-ends', 'cut', 'time-order', 'unmatched']);

export interface Right {
  /** All findings but those that describe any capture, in alphabetical order. */
  found: string[];
  good: number;
  /** PSNs of requests that were not captured; requests sent again; messages, without the refused ones. */
  missing?: number;
  resent?: number;
  messages?: number;
  refused?: number;
}

/** Findings of a packet that was lost before the place of capture, and sent again because of a NAK. */
export const LOSS = ['nak-sequence', 'retransmission-nak', 'gap-lost'];

export const KIB = 1024;

export function expectRight(diagnosis: Diagnosis, right: Right): void {
  const { findings, counts, connections } = diagnosis;
  expect(
    findings
      .map(({ id }) => id)
      .filter((id) => !ALWAYS.has(id))
      .sort(),
  ).toEqual([...right.found].sort());
  expect(goodBytes(diagnosis), 'payload').toBe(right.good);
  expect(counts.missing, 'missing').toBe(right.missing ?? 0);
  expect(counts.retransmissions, 'sent again').toBe(right.resent ?? 0);
  const messages = connections.flatMap(({ from }) => from.flatMap((way) => way?.messages ?? []));
  const sum = (of: 'count' | 'refused') => messages.reduce((n, each) => n + each[of], 0);
  if (right.messages !== undefined) expect(sum('count'), 'messages').toBe(right.messages);
  expect(sum('refused'), 'refused').toBe(right.refused ?? 0);
}
