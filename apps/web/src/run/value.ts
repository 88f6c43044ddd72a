import { qpnText } from '@verbslab/protocol';
import { hex } from '../format/number';

/** Names of arguments that hold keys or addresses, read best in hexadecimal. */
const HEXADECIMAL = /key|addr|attr_mask|mask|imm/i;

/** As packets and tools print it, then as a program's `%d` does. */
const qpnInBoth = (qpn: number): string => `${qpnText(qpn)} (${qpn})`;
/** PSNs are counted with, so the decimal one comes first, as in Wireshark. */
const psnInBoth = (psn: number): string => `${psn} (${hex(psn, 6)})`;

/** An argument or result in C's manner: names kept, numbers that are keys in hexadecimal. */
export function showValue(value: unknown, name = ''): string {
  if (value === null || value === undefined) return 'NULL';
  // 64-bit counts lose their last digits on the way here; then three of them are enough.
  if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER) return value.toPrecision(3);
  if (typeof value === 'number' && /^(qp_num|dest_qp_num|remote_qpn|qpn)$/.test(name))
    return qpnInBoth(value);
  if (typeof value === 'number' && /^([rs]q_)?psn$/.test(name)) return psnInBoth(value);
  if (typeof value === 'number')
    return HEXADECIMAL.test(name) && Number.isInteger(value) && value >= 0 ? hex(value) : String(value);
  if (typeof value === 'string') return value.replace(/^QP (\d+)$/, (_, n) => `QP ${qpnInBoth(Number(n))}`);
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
