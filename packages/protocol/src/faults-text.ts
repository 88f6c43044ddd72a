// No schemas here: pages use these words, and must not load a validator for them.
import type { FaultRule, Faults } from './faults.js';
import { qpnText } from './qpn.js';

/** Faults that a packet can have. */
export const FAULT_ACTIONS = ['drop', 'duplicate', 'reorder', 'delay', 'corrupt', 'mark'] as const;
type FaultAction = (typeof FAULT_ACTIONS)[number];

/** Delay in µs as text: `1.5 ms`. */
export function delayText(us: number): string {
  if (us < 1000) return `${us} µs`;
  return us < 1e6 ? `${Number((us / 1000).toPrecision(6))} ms` : `${Number((us / 1e6).toPrecision(6))} s`;
}

/** Rate in bits per second as text: `100 Mbit/s`. */
export function rateText(bps: number): string {
  const [unit, size] = bps >= 1e9 ? ['Gbit/s', 1e9] : bps >= 1e6 ? ['Mbit/s', 1e6] : ['kbit/s', 1e3];
  return `${Number((bps / Number(size)).toPrecision(6))} ${unit}`;
}

/** Probability as text: `1 %`. */
export const partText = (part: number): string => `${Number((part * 100).toPrecision(6))} %`;

const RATE_TEXT: Readonly<Record<FaultAction, string>> = {
  drop: 'loss',
  duplicate: 'duplicates',
  reorder: 'reordered',
  delay: 'delayed',
  corrupt: 'corrupted',
  mark: 'marked (ECN)',
};

/** Opcode as text: `0x0a`. */
export const opcodeText = (opcode: number): string => `0x${opcode.toString(16).padStart(2, '0')}`;

/** A rule as text: `drop opcode 0x0a, PSN 5, number 3, once`. */
export function ruleText({ action, qpn, psn, opcode, opcodeMask, iter, times, delayUs }: FaultRule): string {
  const which = [
    ...(opcode === undefined ? [] : [`opcode ${opcodeText(opcode)}`]),
    ...(opcodeMask === undefined ? [] : [`under mask ${opcodeText(opcodeMask)}`]),
    ...(qpn === undefined ? [] : [`to QP ${qpnText(qpn)}`]),
    ...(psn === undefined ? [] : [`PSN ${psn}`]),
    ...(iter === undefined ? [] : [`number ${iter}`]),
  ];
  const by = action === 'delay' ? ` by ${delayText(delayUs ?? 0)}` : '';
  if (which.length === 0 && times)
    return `${action} the next ${times === 1 ? 'packet' : `${times} packets`}${by}`;
  const packets = which.length === 0 ? 'every packet' : which.join(', ');
  return `${action} ${packets}${by}${times ? (times === 1 ? ', once' : `, ${times} times`) : ''}`;
}

/** True if packets may be marked, which requires a device with the capability `marks`. */
export const marksPackets = ({ rates, rules = [] }: Faults): boolean =>
  (rates?.mark ?? 0) > 0 || rules.some(({ action }) => action === 'mark');

/** Faults of a device as text: `1 % loss, 5 ms ± 1 ms delay`; empty if there are none. */
export function faultsText({ rates = {}, rules = [], shaping = {} }: Faults): string {
  const parts = FAULT_ACTIONS.flatMap((name) => {
    const rate = rates[name] ?? 0;
    if (rate === 0) return [];
    return [
      `${partText(rate)} ${RATE_TEXT[name]}${name === 'delay' ? ` by ${delayText(rates.delayUs ?? 0)}` : ''}`,
    ];
  });
  const { delayUs = 0, jitterUs = 0, rateBps = 0 } = shaping;
  if (delayUs > 0)
    parts.push(`${delayText(delayUs)}${jitterUs > 0 ? ` ± ${delayText(jitterUs)}` : ''} delay`);
  if (rateBps > 0) parts.push(`at most ${rateText(rateBps)}`);
  const [only] = rules;
  if (rules.length === 1) parts.push(ruleText(only!));
  else if (rules.length > 1) parts.push(`${rules.length} rules`);
  return parts.join(', ');
}
