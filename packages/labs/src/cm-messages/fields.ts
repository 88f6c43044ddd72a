/** The fields of one connection's messages that a program or its peer acts on. */
import { messageOf, type Conversation } from '../cm/conversation.js';
import type { Context } from './connect.js';

/** Wireshark's names, by message. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  ConnectRequest: [
    'infiniband.cm.req',
    'infiniband.cm.req.serviceid',
    'infiniband.cm.req.localqpn',
    'infiniband.cm.req.startpsn',
    'infiniband.cm.req.responderres',
    'infiniband.cm.req.initdepth',
    'infiniband.cm.req.retrcount',
    'infiniband.cm.req.rnrretrcount',
    'infiniband.cm.req.prim_localacktout',
    'infiniband.cm.req.pppmtu',
    'infiniband.cm.req.remoteresptout',
    'infiniband.cm.req.maxcmretr',
    'infiniband.cm.req.ip_cm.sport',
    'infiniband.cm.req.ip_cm.sip4',
    'infiniband.cm.req.ip_cm.dip4',
    'infiniband.cm.req.ip_cm.private',
  ],
  ConnectReply: [
    'infiniband.cm.rep',
    'infiniband.cm.rep.remotecommid',
    'infiniband.cm.rep.localqpn',
    'infiniband.cm.rep.startpsn',
    'infiniband.cm.rep.rnrretrcount',
    'infiniband.cm.rep.tgtackdelay',
    'infiniband.cm.rep.private',
  ],
  ReadyToUse: ['infiniband.cm.rtu.localcommid', 'infiniband.cm.rtu.remotecommid'],
  DisconnectRequest: [
    'infiniband.cm.dreq.localcommid',
    'infiniband.cm.dreq.remotecommid',
    'infiniband.cm.req.remoteqpneecn',
  ],
  DisconnectReply: ['infiniband.cm.drsp.localcommid', 'infiniband.cm.drsp.remotecommid'],
};

/** Bytes of private data that are shown. */
const BYTES_SHOWN = 16;

const textOf = (value: unknown, text: string): string =>
  value instanceof Uint8Array
    ? `${Array.from(value.subarray(0, BYTES_SHOWN), (byte) => byte.toString(16).padStart(2, '0')).join(' ')} … (${value.length} bytes)`
    : text;

export function showFields(ctx: Context, conversation: Conversation): void {
  for (const [message, names] of Object.entries(SHOWN)) {
    const fields = messageOf(conversation, message)?.fields ?? [];
    for (const name of names) {
      const field = fields.find((one) => one.name === name);
      if (!field) continue;
      ctx.row('fields', {
        message,
        field: field.label,
        value: textOf(field.value, field.text),
        offset: field.offset,
        filter: name,
      });
    }
  }
}
