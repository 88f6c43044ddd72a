import type { Word } from './ast.js';
import { FilterError } from './error.js';
import { filterFields } from './fields.js';
import { inWiresharkOnly, protocolThere } from './wireshark-names.js';

/** The error for a word that is no field, with a guess of the intended one. */
export function notAField({ text, quoted, at, end }: Word): FilterError {
  if (quoted || /^([0-9].*|.*[:/].*)$/.test(text))
    return new FilterError(
      `\`${text}\` is a value, but a field is expected here.`,
      'Write the field first: `infiniband.bth.opcode == 17`.',
      at,
      end,
    );
  const protocol = protocolThere(text);
  if (protocol !== undefined)
    return new FilterError(
      `Wireshark decodes the protocol \`${protocol}\`, but it is not supported here.`,
      'Open the capture in Wireshark to use it.',
      at,
      end,
    );
  const near = nearest(text);
  if (inWiresharkOnly(text))
    return new FilterError(
      `Wireshark has the field \`${text}\`, but it is not supported here.`,
      near === undefined
        ? 'Open the capture in Wireshark to use it.'
        : `Use \`${near}\`, or open the capture in Wireshark.`,
      at,
      end,
    );
  return new FilterError(
    `\`${text}\` is not a field.`,
    near === undefined
      ? 'Fields begin with infiniband, ip, ipv6, udp, tcp, eth, vlan, sll, gre, vxlan, macc, data or frame.'
      : `Did you mean \`${near}\`?`,
    at,
    end,
  );
}

/** Returns the field with the most similar name; undefined if none is close. */
function nearest(text: string): string | undefined {
  const wanted = text.toLowerCase();
  let best: string | undefined;
  let least = Math.min(4, Math.max(1, Math.floor(wanted.length / 5))) + 1;
  for (const name of filterFields().keys()) {
    // People leave out the protocol: `bth.opcode` is `infiniband.bth.opcode`.
    const distance = name.endsWith(`.${wanted}`) && wanted.length > 2 ? 1 : edits(wanted, name, least);
    if (distance >= least) continue;
    least = distance;
    best = name;
  }
  return best;
}

/** Number of letters to insert, remove or replace (Levenshtein); at least `limit` if it is not less. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
