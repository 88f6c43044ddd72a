import { u32 } from '../base/bytes.js';
import { allHeaders, everyField } from '../packet/glossary.js';
import { ipv4Address, ipv6Address, mac, uint, byteString } from '../base/header.js';
import type { AnyField, FieldKind } from '../base/header.js';
import { bth, ethernet, ipv4, ipv6, tcp, udp } from '../headers/index.js';
import { STRETCHES } from '../packet/places.js';
import type { PlacedHeader, Stretch } from '../packet/places.js';
import { frameFields } from './frame-fields.js';
import { valueNames } from './names.js';
import type { ValueNames } from './names.js';
import type { PacketView } from './view.js';

/** Times are nanoseconds; addresses and byte strings are compared byte by byte. */
export type FilterType =
  | 'uint'
  | 'uint64'
  | 'bool'
  | 'time'
  | 'string'
  | 'ether'
  | 'ipv4'
  | 'ipv6'
  | 'bytes'
  | 'protocol';
export type FilterValue = number | bigint | string | Uint8Array;

/** Calls `see` with each value of a field until one call returns true. Returns false if none does. */
export type Visit = (view: PacketView, see: (value: FilterValue) => boolean) => boolean;

export interface FilterField {
  name: string;
  label: string;
  doc: string;
  /** False when Wireshark has no field of this name. */
  inWireshark: boolean;
  type: FilterType;
  /** Largest value of a number. */
  max: bigint;
  values?: ValueNames;
  /** Where the values come from, if not from the bytes of the packet. */
  source?: 'record' | 'marks';
  visit: Visit;
}

const TYPES: Readonly<Record<FieldKind, FilterType>> = {
  uint: 'uint',
  uint64: 'uint64',
  flag: 'bool',
  bytes: 'bytes',
  mac: 'ether',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
};

/** Fields that Wireshark has as bytes. */
const BYTES = /^infiniband\.(immdt|ieth|reserved|cm\.req\.alt_(local|remote)gid)$/;
/** Fields that Wireshark shows in bytes, and the header has in larger units. */
const UNITS: Readonly<Record<string, number>> = { 'ip.hdr_len': 4, 'tcp.hdr_len': 4 };
/** Factor by which Wireshark multiplies the number in the header. */
export const unitOf = (name: string): number => UNITS[name] ?? 1;
/** Headers without a name in Wireshark. */
const OUR_HEADERS: ReadonlySet<string> = new Set(['infiniband.cm', 'infiniband.feth', 'infiniband.xrceth']);
/** Headers that are protocols of their own; the others are parts of InfiniBand, and byte strings. */
const PROTOCOLS: ReadonlySet<string> = new Set([
  'eth',
  'vlan',
  'sll',
  'null',
  'erf',
  'macc',
  'pppoes',
  'ppp',
  'mpls',
  'gre',
  'erspan',
  'vxlan',
  'geneve',
  'ip',
  'ipv6',
  'ipv6.hopopts',
  'ipv6.routing',
  'ipv6.dstopts',
  'ipv6.fraghdr',
  'udp',
  'tcp',
]);

const either = 'Either end: the packet matches if one of the two does.';

/** Fields that Wireshark has besides those of the headers. */
const MORE: readonly [PlacedHeader, AnyField][] = [
  [ethernet, mac(6, { name: 'eth.addr', label: 'Source or destination', doc: either })],
  [ethernet, mac(0, { name: 'eth.addr', label: 'Source or destination', doc: either })],
  [ipv4, ipv4Address(12, { name: 'ip.addr', label: 'Source or destination address', doc: either })],
  [ipv4, ipv4Address(16, { name: 'ip.addr', label: 'Source or destination address', doc: either })],
  [ipv6, ipv6Address(8, { name: 'ipv6.addr', label: 'Source or destination address', doc: either })],
  [ipv6, ipv6Address(24, { name: 'ipv6.addr', label: 'Source or destination address', doc: either })],
  [udp, uint(0, 2, { name: 'udp.port', label: 'Source or destination port', doc: either })],
  [udp, uint(2, 2, { name: 'udp.port', label: 'Source or destination port', doc: either })],
  [tcp, uint(0, 2, { name: 'tcp.port', label: 'Source or destination port', doc: either })],
  [tcp, uint(2, 2, { name: 'tcp.port', label: 'Source or destination port', doc: either })],
  [
    ipv4,
    uint(1, 1, { name: 'ip.dsfield', label: 'Differentiated services', doc: 'DSCP and ECN in one byte.' }),
  ],
  [ipv4, uint(6, 1, { name: 'ip.flags', label: 'Flags', mask: 0xe0, doc: 'The three flags as one number.' })],
  [
    ipv6,
    uint(0, 4, {
      name: 'ipv6.tclass',
      label: 'Traffic class',
      mask: 0x0ff00000,
      doc: 'DSCP and ECN together.',
    }),
  ],
  [tcp, uint(12, 2, { name: 'tcp.flags', label: 'Flags', mask: 0x0fff, doc: 'All flags as one number.' })],
  // Wireshark has this field on IPv6 too.
  [ipv6, uint(0, 1, { name: 'ip.version', label: 'Version', mask: 0xf0, doc: 'IP version.' })],
  // Wireshark shows the byte of FECN and BECN as reserved.
  [bth, byteString(4, 1, { name: 'infiniband.reserved', label: 'Reserved', doc: 'Must be zero.' })],
];

let table: Map<string, FilterField> | undefined;

/** Every field and protocol that a filter may name. */
export function filterFields(): ReadonlyMap<string, FilterField> {
  if (table) return table;
  table = new Map(frameFields().map((field) => [field.name, field]));
  for (const header of allHeaders as readonly PlacedHeader[])
    for (const { field, root } of everyField(header)) addField(table, header, field, root);
  for (const [header, field] of MORE) addField(table, header, field, field);
  for (const stretch of Object.values(STRETCHES)) addStretch(table, stretch);
  for (const header of allHeaders as readonly PlacedHeader[]) addHeader(table, header);
  addWhole(table);
  return table;
}

export const filterField = (name: string): FilterField | undefined => filterFields().get(name);

function add(into: Map<string, FilterField>, field: Omit<FilterField, 'values'>): void {
  const before = into.get(field.name);
  if (before) {
    const [first, second] = [before.visit, field.visit];
    before.visit = (view, see) => first(view, see) || second(view, see);
    return;
  }
  const values = valueNames(field.name);
  into.set(field.name, values ? { ...field, values } : field);
}

function addField(
  into: Map<string, FilterField>,
  header: PlacedHeader,
  field: AnyField,
  root: AnyField,
): void {
  const { name, label, doc, ours, mask } = field.options;
  const type = BYTES.test(name) ? 'bytes' : TYPES[field.kind];
  const unit = unitOf(name);
  const visit: Visit = (view, see) => {
    const n = view.count();
    const { data } = view.packet;
    for (let i = 0; i < n; i++) {
      if (view.what[i] !== header || root.offset + root.length > view.lengths[i]!) continue;
      const at = view.offsets[i]!;
      const there = field === root ? field : partOf(root, name, data, at);
      if (there && see(valueOf(there, type, unit, data, at))) return true;
    }
    return false;
  };
  add(into, {
    name,
    label,
    doc,
    inWireshark: !ours,
    type,
    max: maxOf(field.length, mask) * BigInt(unit),
    visit,
  });
}

/** The part of a field with this name, if the field's value in this packet has such a part. */
function partOf(root: AnyField, name: string, data: Uint8Array, at: number): AnyField | undefined {
  for (const part of root.options.parts?.(root.read(data, at), data, at) ?? []) {
    const found = part.options.name === name ? part : partOf(part, name, data, at);
    if (found) return found;
  }
  return undefined;
}

function valueOf(field: AnyField, type: FilterType, unit: number, data: Uint8Array, at: number): FilterValue {
  if (type === 'bool') return field.read(data, at) ? 1 : 0;
  if (type === 'uint') return (field.read(data, at) as number) * unit;
  if (type === 'uint64') return field.read(data, at) as bigint;
  return data.subarray(at + field.offset, at + field.offset + field.length);
}

function maxOf(length: number, mask: number | undefined): bigint {
  if (mask === undefined) return (1n << BigInt(8 * length)) - 1n;
  let max = BigInt(mask >>> 0);
  while ((max & 1n) === 0n) max >>= 1n;
  return max;
}

function addStretch(into: Map<string, FilterField>, stretch: Stretch): void {
  const isIcrc = stretch === STRETCHES.icrc;
  add(into, {
    name: stretch.name,
    label: stretch.title,
    doc: stretch.doc,
    inWireshark: !stretch.ours,
    type: isIcrc ? 'uint' : 'bytes',
    max: 0xffffffffn,
    visit: placed(
      (what) => what === stretch,
      (data, at, length) => (isIcrc ? u32(data, at) : data.subarray(at, at + length)),
    ),
  });
}

/** The header as a whole: its presence and its bytes. */
function addHeader(into: Map<string, FilterField>, { name, title }: PlacedHeader): void {
  if (into.has(name)) return;
  add(into, {
    name,
    label: title,
    doc: `The packet has this header: ${title}.`,
    inWireshark: !OUR_HEADERS.has(name),
    type: PROTOCOLS.has(name) ? 'protocol' : 'bytes',
    max: 0n,
    visit: placed((what) => what.name === name && 'fields' in what, bytesAt),
  });
}

function addWhole(into: Map<string, FilterField>): void {
  const isPayload = (what: PlacedHeader | Stretch) => what === STRETCHES.payload;
  add(into, {
    name: 'infiniband',
    label: 'InfiniBand',
    doc: 'The packet is a RoCE packet.',
    inWireshark: true,
    type: 'protocol',
    max: 0n,
    visit: placed(
      (what) => what === bth,
      (data, at, _length, end) => data.subarray(at, end),
    ),
  });
  add(into, {
    name: 'data',
    label: 'Payload',
    doc: 'The packet carries payload.',
    inWireshark: true,
    type: 'protocol',
    max: 0n,
    visit: placed(isPayload, bytesAt),
  });
  add(into, {
    name: 'data.len',
    label: 'Payload length',
    doc: 'Bytes of payload in this packet, as far as they were captured.',
    inWireshark: true,
    type: 'uint',
    max: 0xffffffffn,
    visit: placed(isPayload, (_data, _at, length) => length),
  });
}

const bytesAt = (data: Uint8Array, at: number, length: number): Uint8Array => data.subarray(at, at + length);

function placed(
  is: (what: PlacedHeader | Stretch) => boolean,
  value: (data: Uint8Array, at: number, length: number, end: number) => FilterValue,
): Visit {
  return (view, see) => {
    const n = view.count();
    for (let i = 0; i < n; i++)
      if (is(view.what[i]!) && see(value(view.packet.data, view.offsets[i]!, view.lengths[i]!, view.end)))
        return true;
    return false;
  };
}
