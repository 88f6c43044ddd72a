/** Looks at the message that a task asks for. */
import type { MessageKind } from '@verbslab/roce';
import { formatCount, noun } from '../base/format.js';
import { hex } from './number-text.js';
import { qpName } from './common-points.js';
import type { Message } from './messages.js';
import { fault, type Fault } from './point.js';
import type { RegionSeen, RunRecording } from './record.js';

const MANY = 1000;
const FLUSHED = 'WR_FLUSH_ERR';
const UNSIGNALED = ', and check that the request is signaled: without that it makes no completion';

/** The one message of this kind, or what there was instead. */
export function onlyMessage(
  { opened, messages, failedCalls }: RunRecording,
  kind: MessageKind,
): { message: Message } | { fault: Fault } {
  const [message, another] = messages.filter((one) => one.kind === kind);
  if (message && !another) return { message };
  if (another) {
    const count = messages.filter((one) => one.kind === kind).length;
    // The run keeps only some of the packets of a program that sends many.
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
    return 'fault' in found ? { ...found.fault, ofMessage: true } : look(found.message, recording);
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
  const inside = (one: RegionSeen): boolean => {
    const at = remote.addr - one.from;
    return at >= 0n && at < BigInt(one.length);
  };
  const named = regions.find((one) => one.key === remote.rkey);
  // With the rkey of another region, the address says which one was meant.
  return named && inside(named) ? named : (regions.find(inside) ?? named ?? null);
}

const REMOTE = ['REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC'];

/** Checks that the region has this one of all remote rights, and no other. */
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

/** Checks the offset in the region at which the message begins. */
export function offsetFault(recording: RunRecording, message: Message, wanted: number): Fault | null {
  const region = regionOf(recording, message);
  if (!region || !message.remote)
    return fault(`Its address ${hex(message.remote?.addr ?? 0n)} is in no region of this program.`);
  const { addr, rkey } = message.remote;
  const offset = addr - region.from;
  if (offset !== BigInt(wanted)) return fault(`It begins at offset ${offset}, not ${wanted}.`);
  const other = rkey === region.key ? undefined : recording.regions.find(({ key }) => key === rkey);
  return other
    ? fault(
        `Its address is in the region of ${region.length} bytes, but its rkey is that of the region of ${other.length} bytes.`,
      )
    : null;
}

/** A successful completion that the program polled from a QP. `from`: null where the message has no known sender. */
export function completionFault(
  { completions }: RunRecording,
  from: number | null,
  opcode: string,
  count = 1,
): Fault | null {
  const own = completions.filter(({ qpn }) => qpn === from);
  // A program that clears its queues at the end polls what was flushed.
  const failed = own.find(({ status }) => status !== 'SUCCESS' && status !== FLUSHED);
  if (failed) return fault(`The completion of request ${failed.wrId} has status ${failed.status}.`);
  const found = own.filter((one) => one.opcode === opcode).length;
  if (found >= count) return null;
  const which = from === null ? 'the program' : qpName(from);
  const polled =
    found === 0
      ? `No completion of type ${opcode} was polled for ${which}.`
      : `Only ${found} of ${count} ${noun(count, 'completion')} of type ${opcode} were polled for ${which}.`;
  return fault(`${polled} Poll its CQ before the program ends${opcode === 'RECV' ? '' : UNSIGNALED}.`);
}

/** Before a message came, its receiver must have posted a receive. */
export function lateReceiveFault(
  { to, acked }: Message,
  { rnrNaks, completions }: RunRecording,
): Fault | null {
  if (rnrNaks > 0)
    return fault(
      `The receiver answered with an RNR NAK${rnrNaks > 1 ? ` ${rnrNaks} times` : ''}: the message arrived before a receive was posted. Post the receive before you send.`,
    );
  if (acked || completions.some(({ qpn, opcode }) => qpn === to && opcode === 'RECV')) return null;
  return fault('No receive took the message: it was refused, or the program ended first.');
}
