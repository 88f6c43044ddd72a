import { hex } from '../format/number';

/** Names of arguments that hold keys or addresses, read best in hexadecimal. */
const HEXADECIMAL = /key|addr|attr_mask|mask|imm/i;

/** An argument or result in C's manner: names kept, numbers that are keys in hexadecimal. */
export function showValue(value: unknown, name = ''): string {
  if (value === null || value === undefined) return 'NULL';
  // 64-bit counts lose their last digits on the way here; then three of them are enough.
  if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER) return value.toPrecision(3);
  if (typeof value === 'number')
    return HEXADECIMAL.test(name) && Number.isInteger(value) && value >= 0 ? hex(value) : String(value);
  if (typeof value === 'string') return value;
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
