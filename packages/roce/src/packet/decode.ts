import { hex, hexNumber, u32 } from '../base/bytes.js';
import { ipCm, sidrReq } from '../cm/index.js';
import { locate } from './locate.js';
import type { Frame } from './frame.js';
import { ipv6Routing } from '../headers/index.js';
import { checkExtendedIcrc, checkIcrc, icrcFits } from './icrc.js';
import { eachPlace, STRETCHES } from './places.js';
import type { PlacedHeader, PlaceVisitor, Stretch } from './places.js';
import type { Segment } from './segment.js';
import { summarizeFrame } from './summary.js';
import type { DecodedPacket, DecodeOptions, Field, IcrcCheck, Layer } from '../base/types.js';

/**
 * Decodes one packet to the last field. Never throws: if the packet is malformed or cut, the layers read so far are
 * returned together with `error`, which gives the byte and the reason.
 */
export function decodePacket(
  bytes: Uint8Array,
  linkType: number,
  options: DecodeOptions = {},
): DecodedPacket {
  const frame = locate(bytes, linkType, options.ports);
  const { segment: part, summary } = summarizeFrame(bytes, frame);
  const result: DecodedPacket = { linkType, length: bytes.length, summary, layers: [] };
  const icrc = part && options.icrc !== false ? icrcOf(bytes, frame, part, options) : undefined;
  if (icrc) result.icrc = icrc;
  eachPlace(bytes, frame, part, new Layers(bytes, result.layers, icrc));
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
  if (frame.ipKind === 'grh' || frame.ipKind === 'none' || frame.lrh >= 0) return undefined;
  if (part.icrc < 0)
    return {
      status: 'unchecked',
      reason: frame.truncated
        ? 'the capture does not hold the end of the packet'
        : 'the packet is too short for an ICRC',
    };
  if (isExtended(frame)) return checkExtendedIcrc(bytes, { ...frame, final: finalSegment(bytes, frame) });
  return checkIcrc(bytes, frame.ip, frame.bth, frame.end, options);
}

const isExtended = (frame: Frame): boolean => frame.l4 - frame.ip !== frame.ipHeaderLength;

/** Returns the status of the ICRC alone, which takes no memory for an ordinary packet. */
export function icrcStatus(bytes: Uint8Array, frame: Frame, part: Segment): IcrcCheck['status'] | '' {
  const { ipKind, ip, bth, end } = frame;
  const plain = (ipKind === 'ipv4' || ipKind === 'ipv6') && part.icrc >= 0 && !isExtended(frame);
  if (plain && frame.lrh < 0 && icrcFits(bytes, ip, bth, end)) return 'ok';
  return icrcOf(bytes, frame, part, {})?.status ?? '';
}

/** Offset of the final destination address of an IPv6 packet with a segment routing header; -1 for others. */
function finalSegment(bytes: Uint8Array, { headers }: Frame): number {
  const i = headers.last(ipv6Routing);
  if (i < 0) return -1;
  const at = headers.offset(i);
  const length = headers.length(i);
  const SEGMENT_ROUTING = 4;
  return bytes[at + 2] === SEGMENT_ROUTING && bytes[at + 3]! > 0 && length >= 24 ? at + 8 : -1;
}

/** Turns the places of a packet into layers. */
class Layers implements PlaceVisitor {
  constructor(
    readonly bytes: Uint8Array,
    readonly layers: Layer[],
    readonly icrc: IcrcCheck | undefined,
  ) {}

  header(header: PlacedHeader, offset: number, length: number): void {
    const layer = header.layer(this.bytes, offset, length)!;
    // Wireshark has these names, but does not look into a SIDR request.
    if (header === ipCm && this.layers.at(-1)!.title === sidrReq.title)
      for (const f of layer.fields) f.inWireshark = false;
    this.layers.push(layer);
  }

  stretch(stretch: Stretch, offset: number, length: number): void {
    const { id, name, title } = stretch;
    const field = bytesField(stretch, this.bytes, offset, length);
    if (id !== undefined) {
      if (stretch === STRETCHES.icrc) icrcField(field, this.bytes, this.icrc);
      this.layers.push({ id, name, title, offset, length, fields: [field] });
      return;
    }
    const { fields } = this.layers.at(-1)!;
    fields.push({ ...field, inWireshark: field.inWireshark && (fields[0]?.inWireshark ?? true) });
  }
}

function bytesField(stretch: Stretch, bytes: Uint8Array, offset: number, length: number): Field {
  const value = bytes.subarray(offset, offset + length);
  return {
    name: stretch.name,
    inWireshark: !stretch.ours,
    label: stretch.title,
    offset,
    length,
    value,
    text: `${length} bytes: ${hex(value, 32)}`,
    doc: stretch.doc,
  };
}

function icrcField(field: Field, bytes: Uint8Array, check: IcrcCheck | undefined): void {
  const value = u32(bytes, field.offset);
  field.value = value;
  field.text = `${hexNumber(value, 8)}${icrcText(check)}`;
}

function icrcText(check: IcrcCheck | undefined): string {
  if (check?.status === 'ok') return ' (correct)';
  if (check?.status === 'ok-other-id') return ` (correct for IP identification ${check.id!})`;
  if (check?.status === 'bad') return ` (wrong, should be ${hexNumber(check.computed!, 8)})`;
  return '';
}
