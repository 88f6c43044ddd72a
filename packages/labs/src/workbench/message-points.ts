/** Looks at the message that a task asks for. */
import type { MessageKind } from '@verbslab/roce';
import { formatCount } from '../format.js';
import { hex } from './number-text.js';
import { qpName } from './common-points.js';
import type { Message } from './messages.js';
import { fault, type Fault } from './point.js';
import type { RegionSeen, RunRecording } from './record.js';

const MANY = 1000;

/** The one message of this kind, or what there was instead. */
export function onlyMessage(
  { opened, messages, failedCalls }: RunRecording,
  kind: MessageKind,
): { message: Message } | { fault: Fault } {
  const [message, another] = messages.filter((one) => one.kind === kind);
  if (message && !another) return { message };
  if (another) {
    const count = messages.filter((one) => one.kind === kind).length;
    // Of a program that sends many, the run keeps some of the packets.
    const sent = count < MANY ? `${count}` : `at least ${formatCount(count)}`;
    return { fault: fault(`The program sent ${sent} messages of this kind. Send one.`) };
  }
  if (!opened) return { fault: fault('The program did not open the device.') };
  const refused = failedCalls.find(({ call }) => call === 'ibv_post_send');
  if (refused?.error) return { fault: fault(`${refused.error.message} ${refused.error.cure}`) };
  const [other] = messages;
  if (!other) return { fault: fault('No message left the device.') };
  return { fault: fault(`The program sent ${nameOf(other)} instead.`) };
}

/** A look at the one message of this kind. */
export const atMessage =
  (kind: MessageKind, look: (message: Message, recording: RunRecording) => Fault | null) =>
  (recording: RunRecording): Fault | null => {
    const found = onlyMessage(recording, kind);
    return 'fault' in found ? found.fault : look(found.message, recording);
  };

const nameOf = ({ kind, length }: Message): string => `a message “${kind}” of ${length} bytes`;

export function lengthFault({ length }: Message, wanted: number): Fault | null {
  return length === wanted ? null : fault(`It has ${length} bytes, not ${wanted}.`);
}

/** The first byte that differs. */
export function bytesFault(payload: Uint8Array, wanted: Uint8Array): Fault | null {
  const at = wanted.findIndex((byte, i) => payload[i] !== byte);
  if (at < 0) return null;
  const found = payload[at];
  if (found === undefined) return fault(`Only ${payload.length} bytes came, not ${wanted.length}.`);
  return fault(`Byte ${at} is ${found}, not ${wanted[at]}.`);
}

/** The region that a message addresses. */
export function regionOf({ regions }: RunRecording, { remote }: Message): RegionSeen | null {
  if (remote === null) return null;
  const inside = ({ from, length }: RegionSeen): boolean =>
    remote.addr >= from && remote.addr < from + BigInt(length);
  return regions.find((one) => one.key === remote.rkey) ?? regions.find(inside) ?? null;
}

const REMOTE = ['REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC'];

/** Of all remote rights, the region must have this one alone. */
export function rightsFault(region: RegionSeen, wanted: string): Fault | null {
  const rights = region.access.filter((one) => REMOTE.includes(one));
  if (!rights.includes(wanted))
    return fault(
      `The region of ${region.length} bytes lacks ${wanted}. It has: ${rightsText(region.access)}.`,
    );
  const more = rights.filter((one) => one !== wanted);
  if (more.length === 0) return null;
  return fault(
    `A peer that has the rkey could also use ${more.join(' and ')}. Leave out what it does not need.`,
  );
}

const rightsText = (access: readonly string[]): string => (access.length === 0 ? 'none' : access.join(', '));

/** Where in the region it begins. */
export function offsetFault(recording: RunRecording, message: Message, wanted: number): Fault | null {
  const region = regionOf(recording, message);
  if (!region || !message.remote)
    return fault(`Its address ${hex(message.remote?.addr ?? 0n)} is in no region of this program.`);
  const offset = message.remote.addr - region.from;
  return offset === BigInt(wanted) ? null : fault(`It begins at offset ${offset}, not ${wanted}.`);
}

/** A successful completion that the program polled from a QP. `from`: null where the message has no known sender. */
export function completionFault(
  { completions }: RunRecording,
  from: number | null,
  opcode: string,
  count = 1,
): Fault | null {
  const own = completions.filter(({ qpn }) => qpn === from);
  const failed = own.find(({ status }) => status !== 'SUCCESS');
  if (failed) return fault(`The completion of request ${failed.wrId} has status ${failed.status}.`);
  const found = own.filter((one) => one.opcode === opcode).length;
  if (found >= count) return null;
  const which = from === null ? 'the program' : qpName(from);
  return fault(
    found === 0
      ? `No completion of type ${opcode} was polled for ${which}.`
      : `Only ${found} of ${count} completions of type ${opcode} were polled for ${which}.`,
  );
}

/** Before a message came, its receiver must have posted a receive. */
export function lateReceiveFault({ rnrNaks, completions }: RunRecording): Fault | null {
  if (rnrNaks > 0)
    return fault(
      `The receiver answered with an RNR NAK${rnrNaks > 1 ? ` ${rnrNaks} times` : ''}: the message arrived before a receive was posted.`,
    );
  if (completions.some(({ opcode }) => opcode === 'RECV')) return null;
  return fault('No receive took a message.');
}
