import { u16, u24, u32 } from '../base/bytes.js';
import { MAD_HEADER_LENGTH } from '../headers/mad.js';
import { CmAttribute, mtuBytes } from '../headers/cm-attributes.js';
import { CM_LENGTH } from './common.js';

/** The part of a CM message that identifies the two ends: communication IDs, QPNs, path MTU in bytes. */
export type ConnectMessage =
  | { kind: 'REQ'; localId: number; qpn: number; mtu: number | undefined }
  | { kind: 'REP'; remoteId: number; qpn: number }
  | { kind: 'REJ'; remoteId: number; reason: number }
  | { kind: 'DREQ'; localId: number; remoteQpn: number }
  | { kind: 'DREP'; remoteId: number };

/** Returns null for other messages, and for messages that the capture cut. `payloadOffset`: start of the MAD. */
export function readConnect(data: Uint8Array, payloadOffset: number): ConnectMessage | null {
  if (data.length - payloadOffset < MAD_HEADER_LENGTH + CM_LENGTH) return null;
  const m = payloadOffset + MAD_HEADER_LENGTH;
  switch (u16(data, payloadOffset + 16)) {
    case CmAttribute.REQ:
      return {
        kind: 'REQ',
        localId: u32(data, m),
        qpn: u24(data, m + 32),
        mtu: mtuBytes(data[m + 50]! >>> 4),
      };
    case CmAttribute.REP:
      return { kind: 'REP', remoteId: u32(data, m + 4), qpn: u24(data, m + 12) };
    case CmAttribute.REJ:
      return { kind: 'REJ', remoteId: u32(data, m + 4), reason: u16(data, m + 10) };
    case CmAttribute.DREQ:
      return { kind: 'DREQ', localId: u32(data, m), remoteQpn: u24(data, m + 8) };
    case CmAttribute.DREP:
      return { kind: 'DREP', remoteId: u32(data, m + 4) };
    default:
      return null;
  }
}
