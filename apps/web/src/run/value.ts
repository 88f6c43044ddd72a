import { hex } from '../format/number';

/** Names of arguments that hold keys or addresses, read best in hexadecimal. */
const HEXADECIMAL = /key|addr|attr_mask|mask|imm/i;

/** Numbers that calls show in one base and packets in the other: both are given. */
const IN_BOTH = /^(qp_num|dest_qp_num|qpn|psn|[rs]q_psn)$/;
const both = (n: number): string => `${n} (${hex(n, 6)})`;

/** An argument or result in C's manner: names kept, numbers that are keys in hexadecimal. */
export function showValue(value: unknown, name = ''): string {
  if (value === null || value === undefined) return 'NULL';
  // 64-bit counts lose their last digits on the way here; then three of them are enough.
  if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER) return value.toPrecision(3);
  if (typeof value === 'number' && IN_BOTH.test(name)) return both(value);
  if (typeof value === 'number')
    return HEXADECIMAL.test(name) && Number.isInteger(value) && value >= 0 ? hex(value) : String(value);
  if (typeof value === 'string') return value.replace(/^QP (\d+)$/, (_, n) => `QP ${both(Number(n))}`);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) {
    return value.every((v) => typeof v === 'string')
      ? value.join(' | ') || '0'
      : `[${value.map((v) => showValue(v)).join(', ')}]`;
  }
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([k, v]) => `.${k} = ${showValue(v, k)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}
