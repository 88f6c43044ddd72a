import { hex, hexNumber, u16, u32, u64 } from './bytes.js';
import { cmMessage, IP_CM_LENGTH, ipCm, isIpCmService } from './cm/index.js';
import { CmAttribute } from './cm/attributes.js';
import { CM_LENGTH } from './cm/common.js';
import { locate } from './frame.js';
import type { Frame } from './frame.js';
import type { FieldTable, Header } from './header.js';
import {
  aeth,
  atomicacketh,
  atomiceth,
  bth,
  deth,
  ethernet,
  feth,
  grh,
  ieth,
  immdt,
  ipv4,
  ipv6,
  IpProtocol,
  mad,
  MAD_HEADER_LENGTH,
  rdeth,
  reth,
  sll,
  sll2,
  tcp,
  udp,
  vlan,
} from './headers/index.js';
import { checkIcrc, ICRC_LENGTH } from './icrc.js';
import type { Segment } from './segment.js';
import { isCm, summarizeFrame } from './summary.js';
import { LinkType } from './types.js';
import type {
  DecodedPacket,
  DecodeOptions,
  Field,
  IcrcCheck,
  Layer,
  LayerId,
  PacketSummary,
} from './types.js';

type AnyHeader = Pick<Header<FieldTable>, 'layer' | 'length'>;

const EXTENDED: Partial<Record<LayerId, AnyHeader>> = {
  aeth,
  atomicacketh,
  atomiceth,
  deth,
  feth,
  ieth,
  immdt,
  rdeth,
  reth,
};

/**
 * Decodes one packet to the last field. Never throws: where the packet is malformed or cut, the layers read so
 * far come back together with `error`, which says at which byte it stopped and why.
 */
export function decodePacket(
  bytes: Uint8Array,
  linkType: number,
  options: DecodeOptions = {},
): DecodedPacket {
  const frame = locate(bytes, linkType);
  const { segment: part, summary } = summarizeFrame(bytes, frame);
  const layers: Layer[] = [];
  linkLayers(bytes, frame, layers);
  networkLayers(bytes, frame, layers);
  const result: DecodedPacket = { linkType, length: bytes.length, summary, layers };
  if (part) {
    const icrc = options.icrc === false ? undefined : icrcOf(bytes, frame, part, options);
    if (icrc) result.icrc = icrc;
    roceLayers(bytes, frame, part, summary, icrc, layers);
  } else if (summary.payloadLength > 0) {
    layers.push(payloadLayer(bytes, summary.payloadOffset, summary.payloadLength));
  }
  if (frame.end < bytes.length && frame.ip >= 0)
    layers.push(
      oneField('trailer', 'eth.trailer', 'Trailer', bytes, frame.end, bytes.length - frame.end, {
        doc: 'Bytes after the IP packet: padding to the smallest Ethernet frame, or a frame check sequence.',
      }),
    );
  if (summary.error) result.error = summary.error;
  return result;
}

/** ICRC of a located packet; undefined for packets that have none to check (RoCEv1 is not checked). */
export function icrcOf(
  bytes: Uint8Array,
  frame: Frame,
  part: Segment,
  options: DecodeOptions,
): IcrcCheck | undefined {
  if (frame.ipKind === 'grh' || frame.ipKind === 'none') return undefined;
  if (part.icrc < 0)
    return {
      status: 'unchecked',
      reason: frame.truncated
        ? 'the capture does not hold the end of the packet'
        : 'the packet is too short for an ICRC',
    };
  return checkIcrc(bytes, frame.ip, frame.bth, frame.end, options);
}

function push(
  layers: Layer[],
  header: AnyHeader,
  bytes: Uint8Array,
  offset: number,
  length?: number,
): boolean {
  const layer = header.layer(bytes, offset, length);
  if (layer) layers.push(layer);
  return layer !== null;
}

function linkLayers(bytes: Uint8Array, frame: Frame, layers: Layer[]): void {
  if (frame.linkType === LinkType.ETHERNET) push(layers, ethernet, bytes, 0);
  else if (frame.linkType === LinkType.LINUX_SLL) push(layers, sll, bytes, 0);
  else if (frame.linkType === LinkType.LINUX_SLL2) push(layers, sll2, bytes, 0);
  for (const at of frame.vlans) push(layers, vlan, bytes, at);
}

function networkLayers(bytes: Uint8Array, frame: Frame, layers: Layer[]): void {
  if (frame.ip < 0) return;
  if (frame.ipKind === 'grh') push(layers, grh, bytes, frame.ip);
  else if (frame.ipKind === 'ipv6') push(layers, ipv6, bytes, frame.ip);
  else {
    const length = Math.min(frame.ipHeaderLength, bytes.length - frame.ip);
    if (push(layers, ipv4, bytes, frame.ip, length))
      ipOptions(bytes, frame.ip + ipv4.length, length - ipv4.length, layers);
  }
  if (frame.ipKind === 'grh' || frame.fragment) return;
  if (frame.protocol === IpProtocol.UDP) push(layers, udp, bytes, frame.l4);
  else if (frame.protocol === IpProtocol.TCP) push(layers, tcp, bytes, frame.l4);
}

function ipOptions(bytes: Uint8Array, offset: number, length: number, layers: Layer[]): void {
  if (length <= 0) return;
  const doc = 'IPv4 options; RoCE does not use them.';
  layers.at(-1)!.fields.push(bytesField('ip.options', 'Options', bytes, offset, length, { ours: true, doc }));
}

function roceLayers(
  bytes: Uint8Array,
  frame: Frame,
  part: Segment,
  summary: PacketSummary,
  icrc: IcrcCheck | undefined,
  layers: Layer[],
): void {
  // Headers are read from the packet alone, not from what may stand behind it in the frame.
  const packet = bytes.subarray(0, frame.end);
  const headersEnd = part.icrc >= 0 ? part.icrc : frame.end;
  if (!push(layers, bth, packet, frame.bth)) return;
  let at = part.headers;
  for (const id of part.info?.headers ?? []) {
    const header = EXTENDED[id]!;
    if (at + header.length > headersEnd) break;
    push(layers, header, packet, at);
    at += header.length;
  }
  if (part.payloadCaptured > 0) {
    if (isCm(bytes, part, summary)) cmLayers(packet, part, layers);
    else layers.push(payloadLayer(bytes, part.payload, part.payloadCaptured));
  }
  if (part.padLength > 0)
    layers.push(
      oneField('pad', 'infiniband.pad', 'Pad', bytes, part.payload + part.payloadLength, part.padLength, {
        ours: true,
        doc: 'Zero bytes that make the payload a multiple of four.',
      }),
    );
  if (part.icrc >= 0) layers.push(icrcLayer(bytes, part.icrc, icrc));
}

function cmLayers(packet: Uint8Array, part: Segment, layers: Layer[]): void {
  push(layers, mad, packet, part.payload);
  const attribute = u16(packet, part.payload + 16);
  const at = part.payload + MAD_HEADER_LENGTH;
  const there = part.payloadCaptured - MAD_HEADER_LENGTH;
  const message = cmMessage(attribute);
  if (!message || there < CM_LENGTH) {
    if (there > 0) layers.push(payloadLayer(packet, at, there, 'infiniband.mad.data', 'MAD Data'));
    return;
  }
  const layer = message.layer(packet, at)!;
  layers.push(layer);
  if (attribute !== CmAttribute.REQ && attribute !== CmAttribute.SIDR_REQ) return;
  if (!isIpCmService(u64(packet, at + 8))) return;
  // The private data begins with the IP addresses: show it as a layer of its own.
  const data = layer.fields.pop()!;
  layer.length -= data.length;
  const ip = ipCm.layer(packet, data.offset, data.length)!;
  ip.fields.push(
    bytesField(
      'infiniband.cm.req.ip_cm.private',
      'Consumer private data',
      packet,
      data.offset + IP_CM_LENGTH,
      data.length - IP_CM_LENGTH,
      { doc: 'Bytes that the application hands to its peer, such as the address and key of a buffer.' },
    ),
  );
  // Wireshark has these names, but does not look into a SIDR request.
  if (attribute === CmAttribute.SIDR_REQ) for (const f of ip.fields) f.inWireshark = false;
  layers.push(ip);
}

interface FieldExtras {
  doc: string;
  ours?: boolean;
}

function bytesField(
  name: string,
  label: string,
  bytes: Uint8Array,
  offset: number,
  length: number,
  extras: FieldExtras,
): Field {
  const value = bytes.subarray(offset, offset + length);
  return {
    name,
    inWireshark: !extras.ours,
    label,
    offset,
    length,
    value,
    text: `${length} bytes: ${hex(value, 32)}`,
    doc: extras.doc,
  };
}

function oneField(
  id: LayerId,
  name: string,
  title: string,
  bytes: Uint8Array,
  offset: number,
  length: number,
  extras: FieldExtras,
): Layer {
  return {
    id,
    name,
    title,
    offset,
    length,
    fields: [bytesField(name, title, bytes, offset, length, extras)],
  };
}

function payloadLayer(
  bytes: Uint8Array,
  offset: number,
  length: number,
  name = 'data.data',
  title = 'Payload',
): Layer {
  return oneField('payload', name, title, bytes, offset, length, { doc: 'What the application sent.' });
}

function icrcLayer(bytes: Uint8Array, offset: number, check: IcrcCheck | undefined): Layer {
  const value = u32(bytes, offset);
  return {
    id: 'icrc',
    name: 'infiniband.invariant.crc',
    title: 'Invariant CRC',
    offset,
    length: ICRC_LENGTH,
    fields: [
      {
        name: 'infiniband.invariant.crc',
        inWireshark: true,
        label: 'Invariant CRC',
        offset,
        length: ICRC_LENGTH,
        value,
        text: `${hexNumber(value, 8)}${icrcText(check)}`,
        doc: 'CRC-32 over everything that no router may change, from the IP header to the pad; if it is wrong, the receiver silently drops the packet.',
      },
    ],
  };
}

function icrcText(check: IcrcCheck | undefined): string {
  if (check?.status === 'ok') return ' (correct)';
  if (check?.status === 'ok-other-id') return ` (correct for IP identification ${check.id!})`;
  if (check?.status === 'bad') return ` (wrong, should be ${hexNumber(check.computed!, 8)})`;
  return '';
}
