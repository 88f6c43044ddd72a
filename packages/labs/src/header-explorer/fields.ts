/** The packets that can be edited, and the fields of each as the packet model describes them. */
import type { EditableField } from '@verbslab/protocol';
import { atomiceth, bth, RC, reth, type AnyField, type FieldTable } from '@verbslab/roce';

export const PACKETS = ['write', 'read', 'send', 'fetch-add'] as const;
export type PacketKind = (typeof PACKETS)[number];

export const PACKET_TITLES: Readonly<Record<PacketKind, string>> = {
  write: 'WRITE',
  read: 'READ request',
  send: 'SEND',
  'fetch-add': 'FETCH_ADD',
};

export const PACKET_OPCODES: Readonly<Record<PacketKind, number>> = {
  write: RC.writeOnly,
  read: RC.readRequest,
  send: RC.sendOnly,
  'fetch-add': RC.fetchAdd,
};

/** A field that an edit may name, such as `bth.psn`, and where it is. */
export interface Editable extends EditableField {
  at: Place;
}

/**
 * Place of an editable: a field of a header that starts `header` bytes behind the start of the BTH, or a value of the
 * whole packet.
 */
export type Place = { field: AnyField; header: number } | 'payload.length' | 'payload.first' | 'icrc.value';

export interface EditableHeader {
  title: string;
  fields: Editable[];
}

const wide = ({ options: { mask }, length }: AnyField): bigint => {
  if (mask === undefined) return (1n << BigInt(8 * length)) - 1n;
  return BigInt((mask >>> (31 - Math.clz32(mask & -mask))) >>> 0);
};

/** Numbers that the field writes in hexadecimal, although the packet model has words for them. */
const DIGITS: Readonly<Record<string, number>> = { 'infiniband.bth.opcode': 2, 'infiniband.bth.p_key': 4 };

function hexOf({ kind, options: { name, hex = DIGITS[name], text } }: AnyField): { hex?: number } {
  if (hex !== undefined) return { hex };
  return kind === 'uint64' && !text ? { hex: 16 } : {};
}

function headerFields(
  { id, title, fields }: { id: string; title: string; fields: FieldTable },
  header: number,
): EditableHeader {
  return {
    title,
    fields: Object.entries(fields).map(([key, field]) => ({
      name: `${id}.${key}`,
      label: field.options.label,
      text: field.options.doc,
      max: String(wide(field)),
      ...hexOf(field),
      at: { field, header },
    })),
  };
}

/** Bytes of payload that a packet may be given: the path MTU of the lab. */
export const LONGEST_PAYLOAD = 1024;

const REST: EditableHeader = {
  title: 'Payload and ICRC',
  fields: [
    {
      name: 'payload.length',
      label: 'Payload length',
      text: 'Bytes between the headers and the ICRC. A longer payload is filled up with zeros. Pad count and DMA length stay as they are.',
      max: String(LONGEST_PAYLOAD),
      at: 'payload.length',
    },
    {
      name: 'payload.first',
      label: 'First byte of payload',
      text: 'Data. No header knows what is in it.',
      max: '255',
      hex: 2,
      at: 'payload.first',
    },
    {
      name: 'icrc.value',
      label: 'ICRC',
      text: 'Checksum from end to end. It is computed for the edited packet, unless you edit it.',
      max: '4294967295',
      hex: 8,
      at: 'icrc.value',
    },
  ],
};

const extended = { write: reth, read: reth, send: null, 'fetch-add': atomiceth } as const;

export function headersOf(kind: PacketKind): EditableHeader[] {
  const more = extended[kind];
  return [headerFields(bth, 0), ...(more ? [headerFields(more, bth.length)] : []), REST];
}

export const editableOf = (kind: PacketKind): Editable[] => headersOf(kind).flatMap(({ fields }) => fields);
