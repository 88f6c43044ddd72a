import { hex, hexNumber } from '../base/bytes.js';
import { decodePacket } from '../packet/decode.js';
import type { Capture, CaptureError } from '../capture/types.js';
import type { CaptureSummary, DecodedFile, Message, PacketMark, PacketRow } from './types.js';
import type { DecodeError, FieldValue, LayerId, PacketKind } from '../base/types.js';

/** A field in JSON: 64-bit numbers as `0x…`, byte strings as hexadecimal digits. */
export interface JsonField {
  name: string;
  label: string;
  offset: number;
  length: number;
  value: number | boolean | string;
  text: string;
}

export interface JsonLayer {
  id: LayerId;
  name: string;
  title: string;
  offset: number;
  length: number;
  fields: JsonField[];
}

export interface JsonPacket {
  /** Packet number, from 1 as in Wireshark. */
  number: number;
  /** ISO 8601, UTC, to the nanosecond. */
  time: string;
  /** Nanoseconds since the first packet. */
  t: number;
  src: string;
  dst: string;
  protocol: string;
  kind: PacketKind;
  /** Bytes on the wire, and the number of those that were captured. */
  length: number;
  capturedLength: number;
  info: string;
  opcode?: number;
  destQp?: number;
  srcQp?: number;
  psn?: number;
  msn?: number;
  payloadLength: number;
  icrc?: string;
  cut?: true;
  marks?: PacketMark[];
  connection?: number;
  message?: number;
  direction?: 'in' | 'out';
  comments?: string[];
  error?: DecodeError;
  layers?: JsonLayer[];
}

export interface JsonCapture {
  format: string;
  interfaces: { linkType: number; name?: string; description?: string }[];
  application?: string;
  comments: string[];
  summary: CaptureSummary;
  messages: Message[];
  packets: JsonPacket[];
  error?: CaptureError;
}

/** A decoded file as plain JSON values. `layers` adds every field of every packet. */
export function captureJson(file: DecodedFile, options: { layers?: boolean } = {}): JsonCapture {
  const { capture, analysis } = file;
  return {
    format: capture.format,
    interfaces: capture.interfaces.map(interfaceJson),
    ...(capture.application === undefined ? {} : { application: capture.application }),
    comments: capture.comments,
    summary: file.summary,
    messages: analysis.messages,
    packets: file.packets.map((row) => packetJson(file, row, options.layers ?? false)),
    ...(file.error ? { error: file.error } : {}),
  };
}

function interfaceJson(i: Capture['interfaces'][number]): JsonCapture['interfaces'][number] {
  return {
    linkType: i.linkType,
    ...(i.name === undefined ? {} : { name: i.name }),
    ...(i.description === undefined ? {} : { description: i.description }),
  };
}

function packetJson(file: DecodedFile, row: PacketRow, withLayers: boolean): JsonPacket {
  const { analysis } = file;
  const packet: JsonPacket = {
    number: row.index + 1,
    time: isoTime(row.timeNs),
    t: row.t,
    src: row.src,
    dst: row.dst,
    protocol: row.protocol,
    kind: row.kind,
    length: row.originalLength,
    capturedLength: row.length,
    info: row.info,
    payloadLength: row.payloadLength,
  };
  const optional = [
    'opcode',
    'destQp',
    'srcQp',
    'psn',
    'msn',
    'icrc',
    'cut',
    'direction',
    'comments',
    'error',
  ] as const;
  for (const key of optional) if (row[key] !== undefined) Object.assign(packet, { [key]: row[key] });
  const marks = analysis.marks.get(row.index);
  if (marks) packet.marks = marks;
  if (analysis.connectionOf[row.index]! >= 0) packet.connection = analysis.connectionOf[row.index]!;
  if (analysis.messageOf[row.index]! >= 0) packet.message = analysis.messageOf[row.index]!;
  if (withLayers) packet.layers = layersJson(row.data, row.linkType);
  return packet;
}

/** Every field of one packet as JSON. */
export function layersJson(bytes: Uint8Array, linkType: number): JsonLayer[] {
  return decodePacket(bytes, linkType).layers.map((layer) => ({
    id: layer.id,
    name: layer.name,
    title: layer.title,
    offset: layer.offset,
    length: layer.length,
    fields: layer.fields.map(({ name, label, offset, length, value, text }) => ({
      name,
      label,
      offset,
      length,
      value: jsonValue(value),
      text,
    })),
  }));
}

function jsonValue(value: FieldValue): number | boolean | string {
  if (typeof value === 'bigint') return hexNumber(value, 16);
  return value instanceof Uint8Array ? hex(value) : value;
}

/** `2026-11-20T12:20:21.573457000Z`. */
export function isoTime(timeNs: bigint): string {
  const ms = timeNs / 1_000_000n;
  const rest = timeNs - ms * 1_000_000n;
  // Date ends in the year 275760. Later times only come from damaged files.
  if (ms > 8_640_000_000_000_000n || ms < 0n) return `${timeNs} ns`;
  return `${new Date(Number(ms)).toISOString().slice(0, -1)}${String(rest).padStart(6, '0')}Z`;
}

/** Line of a packet list for a terminal. */
export function packetLine(row: PacketRow): string {
  const seconds = (row.t / 1e9).toFixed(9);
  const icrc = row.icrc === 'bad' ? ' [ICRC wrong]' : '';
  return `${row.index + 1} ${seconds} ${row.src} → ${row.dst} ${row.protocol} ${row.originalLength} ${row.info}${icrc}`;
}
