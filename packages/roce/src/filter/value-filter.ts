import { ipv4Text, ipv6Text, macText } from '../base/bytes.js';
import type { Field } from '../base/types.js';
import { filterField, unitOf } from './fields.js';
import { bytesText } from './literals.js';

/** Limit of bytes in a filter. Longer values are compared by their beginning. */
const MAX_BYTES = 16;

/** Returns the filter that only packets with this value pass; null for a field that no filter can name. */
export function valueFilter({ name, offset, length, value }: Field, data: Uint8Array): string | null {
  const field = filterField(name);
  if (!field) return null;
  const bytes = data.subarray(offset, offset + length);
  const { type } = field;
  if (type === 'ether') return `${name} == ${macText(bytes)}`;
  if (type === 'ipv4') return `${name} == ${ipv4Text(bytes)}`;
  if (type === 'ipv6') return `${name} == ${ipv6Text(bytes)}`;
  if (type === 'bytes' || type === 'protocol')
    return length > MAX_BYTES
      ? `${name}[0:${MAX_BYTES}] == ${bytesText(bytes.subarray(0, MAX_BYTES))}`
      : `${name} == ${bytesText(bytes)}`;
  if (typeof value === 'number') return `${name} == ${value * unitOf(name)}`;
  // Wireshark takes `true` for some flags only, and numbers for all.
  if (typeof value === 'boolean') return `${name} == ${value ? 1 : 0}`;
  return typeof value === 'bigint' ? `${name} == ${value}` : null;
}
