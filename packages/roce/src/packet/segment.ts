import { opcodeInfo } from '../base/opcodes.js';
import type { OpcodeInfo } from '../base/opcodes.js';
import type { Frame } from './frame.js';
import { ICRC_LENGTH } from './icrc.js';
import type { DecodeError } from '../base/types.js';

/** The parts of a RoCE packet from the BTH on. Offsets are from the start of the packet. */
export interface Segment {
  info: OpcodeInfo | undefined;
  /** First byte after the BTH. */
  headers: number;
  payload: number;
  /** Bytes of payload as sent, by the packet's own lengths. */
  payloadLength: number;
  /** Bytes of payload in the capture. */
  payloadCaptured: number;
  padLength: number;
  /** Offset of the ICRC; -1 when the capture does not hold it. */
  icrc: number;
  /** True if the opcode is reserved, or left to manufacturers. Such a packet does not contradict itself. */
  unknown?: true;
  error?: DecodeError;
}

const BTH_LENGTH = 12;

/** `frame.bth` must be set. */
export function segment(bytes: Uint8Array, frame: Frame): Segment {
  const { bth, end } = frame;
  const at = bth + BTH_LENGTH;
  if (end < at) {
    const message = `the packet ends after ${Math.max(end - bth, 0)} of ${BTH_LENGTH} bytes of the BTH`;
    return {
      info: end > bth ? opcodeInfo(bytes[bth]!) : undefined,
      headers: Math.min(at, end),
      payload: end,
      payloadLength: 0,
      payloadCaptured: 0,
      padLength: 0,
      icrc: -1,
      error: { offset: end, layer: 'bth', message },
    };
  }
  const info = opcodeInfo(bytes[bth]!);
  const padLength = (bytes[bth + 1]! >>> 4) & 3;
  const payload = at + (info?.headersLength ?? 0);
  // A cut capture lost its tail, ICRC and pad included.
  const icrc = frame.truncated ? -1 : end - ICRC_LENGTH;
  const stop = frame.truncated ? end : icrc - padLength;
  const payloadCaptured = Math.max(stop - payload, 0);
  const sent = frame.fullEnd - ICRC_LENGTH - padLength - payload;
  const result: Segment = {
    info,
    headers: at,
    payload,
    payloadLength: frame.truncated ? Math.max(sent, payloadCaptured) : payloadCaptured,
    payloadCaptured,
    padLength,
    icrc,
  };
  if (frame.truncated) {
    if (end < payload) result.payload = end;
    result.padLength = 0;
    result.error = {
      offset: end,
      layer: 'packet',
      message: 'the capture holds only the beginning of this packet',
    };
  } else if (icrc < payload) {
    result.payload = Math.min(payload, end);
    result.padLength = 0;
    if (icrc < at) result.icrc = -1;
    result.error = {
      offset: end,
      layer: 'packet',
      message: `${end - at} bytes after the BTH cannot hold the headers of ${info?.name ?? 'this opcode'} (${payload - at}) and the ICRC (4)`,
    };
  } else if (stop < payload) {
    result.padLength = 0;
    result.error = {
      offset: bth + 1,
      layer: 'bth',
      message: `pad count ${padLength} is more than the ${icrc - payload} bytes of payload`,
    };
  } else if (!info) {
    result.unknown = true;
    result.error = {
      offset: bth,
      layer: 'bth',
      message: `unknown opcode 0x${bytes[bth]!.toString(16).padStart(2, '0')}`,
    };
  }
  return result;
}
