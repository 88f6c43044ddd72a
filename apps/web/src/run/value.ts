import { qpnText } from '@verbslab/protocol';
import { hex } from '../format/number';

/** Names of arguments that hold keys or addresses, which are best read in hexadecimal. */
const HEXADECIMAL = /key|addr|attr_mask|mask|imm/i;

/** QPN in the format of packets and tools, followed by that of `%d` in a program. */
const qpnInBoth = (qpn: number): string => `${qpnText(qpn)} (${qpn})`;
/** PSN in decimal, as in Wireshark, because PSNs are counted with; then in hexadecimal. */
const psnInBoth = (psn: number): string => `${psn} (${hex(psn, 6)})`;

/** Formats an argument or result in C syntax: with names, and keys in hexadecimal. */
export function showValue(value: unknown, name = ''): string {
  if (value === null || value === undefined) return 'NULL';
  // 64-bit counts have lost their last digits as JSON numbers; three digits are enough then.
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
