/** A captured packet with some of its fields changed. Pure functions. */
import { editedValue } from '@verbslab/protocol';
import { computeIcrc, opcodeInfo, type FieldTable, type ValueOf } from '@verbslab/roce';
import { HEADER_BYTES } from '../wire/sizes.js';
import type { Edit } from './edit.js';
import type { Editable, Place } from './fields.js';

/** An edit with the values before and after it. */
export interface Changed {
  field: Editable;
  before: bigint;
  after: bigint;
}

export interface Altered {
  /** Bytes to send, from the BTH to the ICRC. */
  bytes: Uint8Array;
  changed: Changed[];
  /** Every field of the packet by name, as made and as sent. */
  values: ReadonlyMap<string, { before: bigint; after: bigint }>;
}

/** A packet cut where edits may change its length. All from the IP header on. */
interface Parts {
  network: Uint8Array;
  transport: Uint8Array;
  payload: Uint8Array;
}

const u32 = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);

function cut(captured: Uint8Array): Parts {
  const ip = captured[0]! >>> 4 === 4 ? HEADER_BYTES.ipv4 : HEADER_BYTES.ipv6;
  const bth = ip + HEADER_BYTES.udp;
  const headers = bth + HEADER_BYTES.bth + (opcodeInfo(captured[bth]!)?.headersLength ?? 0);
  return {
    network: captured.slice(0, bth),
    transport: captured.slice(bth, headers),
    payload: captured.slice(headers, captured.length - HEADER_BYTES.icrc),
  };
}

type Raw = ValueOf<FieldTable>[string];
const toRaw = (kind: string, value: bigint): Raw =>
  kind === 'flag' ? value === 1n : kind === 'uint64' ? value : Number(value);

function read({ transport, payload }: Parts, at: Exclude<Place, 'icrc.value'>): bigint {
  if (at === 'payload.length') return BigInt(payload.length);
  if (at === 'payload.first') return BigInt(payload[0] ?? 0);
  return BigInt(at.field.read(transport, at.header) as number | bigint | boolean);
}

function write(parts: Parts, at: Exclude<Place, 'icrc.value'>, value: bigint): void {
  if (at === 'payload.length') {
    const longer = new Uint8Array(Number(value));
    longer.set(parts.payload.subarray(0, longer.length));
    parts.payload = longer;
  } else if (at === 'payload.first') {
    if (parts.payload.length > 0) parts.payload[0] = Number(value);
  } else {
    at.field.write(parts.transport, at.header, toRaw(at.field.kind, value));
  }
}

/** The lengths in the IP and UDP headers, which the ICRC covers, follow the payload. */
function joined({ network, transport, payload }: Parts): { packet: Uint8Array; bth: number } {
  const bth = network.length;
  const packet = new Uint8Array(bth + transport.length + payload.length + HEADER_BYTES.icrc);
  packet.set(network);
  packet.set(transport, bth);
  packet.set(payload, bth + transport.length);
  const view = new DataView(packet.buffer);
  const udp = packet.length - (bth - HEADER_BYTES.udp);
  if (packet[0]! >>> 4 === 4) view.setUint16(2, packet.length);
  else view.setUint16(4, udp);
  view.setUint16(bth - HEADER_BYTES.udp + 4, udp);
  return { packet, bth };
}

/**
 * @param captured from the IP header to the ICRC, the identification being the one that the ICRC was computed on
 * @param fields of such a packet
 */
export function alter(captured: Uint8Array, edits: readonly Edit[], fields: readonly Editable[]): Altered {
  const parts = cut(captured);
  const original = cut(captured);
  const changed: Changed[] = [];
  for (const edit of edits) {
    const { at } = edit.field;
    if (at === 'icrc.value') continue;
    const before = read(parts, at);
    write(parts, at, editedValue(edit, before, BigInt(edit.field.max)));
    changed.push({ field: edit.field, before, after: read(parts, at) });
  }
  const { packet, bth } = joined(parts);
  const end = packet.length - HEADER_BYTES.icrc;
  let icrc = BigInt(computeIcrc(packet, 0, bth, end));
  for (const edit of edits) {
    if (edit.field.at !== 'icrc.value') continue;
    const before = icrc;
    icrc = editedValue(edit, before, BigInt(edit.field.max));
    changed.push({ field: edit.field, before, after: icrc });
  }
  new DataView(packet.buffer).setUint32(end, Number(icrc));
  const made = BigInt(u32(captured, captured.length - HEADER_BYTES.icrc));
  const values = fields.map(({ name, at }) => {
    if (at === 'icrc.value') return [name, { before: made, after: icrc }] as const;
    return [name, { before: read(original, at), after: read(parts, at) }] as const;
  });
  return { bytes: packet.slice(bth), changed, values: new Map(values) };
}
