/** Captions of stages: what happens, with the recorded values. */
import { plural } from '@verbslab/labs';
import type { Burst } from './bursts';
import type { Events } from './events';
import type { PacketEvent, PostedEvent } from './recording';
import { otherSide, type Side } from './state';
import { bytesText, listText, offsetText, psnText, timeText, verbOf } from './words';

/** `the client’s`. */
export const whose = ({ recording }: Events, side: Side): string => `${who({ recording }, side)}’s`;
export const who = ({ recording }: Pick<Events, 'recording'>, side: Side): string =>
  `the ${recording.ends[side].title.toLowerCase()}`;
export const capital = (sentence: string): string => sentence.replace(/^./, (letter) => letter.toUpperCase());

/** True if no call of the side was recorded between the times. Of loops, no call is. */
const makesNoCall = ({ calls, recording }: Events, side: Side, from: number, to: number): boolean =>
  recording.unposted === undefined &&
  !calls.some((call) => call.side === side && call.t <= to && (call.end ?? call.t) >= from);

/** Part of the range that a request names beyond the region of the peer; null if it is inside or not recorded. */
export function beyond({ recording }: Events, one: PostedEvent): { by: number; length: number } | null {
  const region = recording.ends[otherSide(one.side)].regions.find(({ id }) => id === one.remote?.region);
  if (!region || !one.remote) return null;
  const by = Math.max(one.remote.offset + one.bytes - region.length, -one.remote.offset);
  return by > 0 ? { by, length: region.length } : null;
}

export function postedCaption(events: Events, one: PostedEvent): string {
  const { opcode, bytes, inline, side, remote } = one;
  const size = bytesText(bytes);
  const out = beyond(events, one);
  if (out && remote)
    return `The request names offset ${offsetText(remote.offset)} with ${size}. The region ends at ${offsetText(out.length)}. ${capital(whose(events, side))} device cannot know that.`;
  const [me, peer] = [who(events, side), whose(events, otherSide(side))];
  const copied = inline
    ? ` The ${size} are copied into the WQE (inline), so the buffer is free at once.`
    : '';
  if (opcode.startsWith('ATOMIC'))
    return `${capital(me)} posts a ${verbOf(one)}: ${peer} device is to change 8 B in place and to return what they held before.`;
  if (opcode.startsWith('RDMA_READ'))
    return `${capital(me)} posts a READ: take ${size} from that address into this buffer.`;
  if (opcode === 'RDMA_WRITE_WITH_IMM')
    return `${capital(me)} posts a WRITE with immediate: ${size} to this address, and 32 bits that go into a completion of ${who(events, otherSide(side))}.${copied}`;
  if (opcode.startsWith('SEND')) {
    const unnamed =
      events.recording.transport === 'UD'
        ? `It names a QP and its Q_Key with the request: one UD QP can send to many`
        : `It names no address and no rkey: the receiver chooses where the bytes go`;
    return `${capital(me)} posts a SEND of ${size}. ${unnamed}.${copied}`;
  }
  return inline
    ? `The program posts one work request.${copied} The library writes it into the next slot of the send queue and rings the doorbell.`
    : `The program posts one work request: ${size} from here to this address, with this rkey. The library writes it into the next slot of the send queue and rings the doorbell.`;
}

export const receiveCaption = (events: Events, recv: PostedEvent, first: boolean): string =>
  `${first ? 'First ' : 'Now '}${whose(events, recv.side)} program posts a RECV: “the next message goes into this buffer of ${bytesText(recv.bytes)}”. No packet leaves.`;

export function fetchedCaption(events: Events, one: PostedEvent, at: number): string {
  const call = events.active(one.side, at);
  const program = call ? 'Its call has not returned yet.' : 'The program is free: its call has returned.';
  return `The device reads ${one.name} from the send queue, ${timeText(at - one.t)} after it was posted. ${program}`;
}

const labels = (packets: readonly PacketEvent[]): string =>
  packets.length > 4
    ? `${packets[0]!.label}, ${plural(packets.length - 2, 'Middle')} and ${packets.at(-1)!.label}`
    : listText(packets.map(({ label }) => label));

function ucText(events: Events, one: PostedEvent, packets: readonly PacketEvent[]): string {
  const dropped = packets.filter(({ lost, taken }) => !lost && !taken).map(({ label }) => label);
  const rest =
    dropped.length > 0
      ? `${capital(whose(events, otherSide(one.side)))} device misses it and drops ${listText(dropped)}, too. `
      : '';
  return `${rest}UC has no ACK, so nobody asks for it again.`;
}

export function outCaption(events: Events, one: PostedEvent, { packets }: Burst): string {
  const { mtu, transport } = events.recording;
  const lost = packets.find((packet) => packet.lost);
  const cut = mtu === null ? 'cuts them at the path MTU' : `cuts them at the path MTU of ${bytesText(mtu)}`;
  if (lost) {
    const psn = lost.psn === null ? '' : ` (${psnText(lost.psn)})`;
    const rest =
      transport === 'UC'
        ? ucText(events, one, packets)
        : `${capital(whose(events, one.side))} device does not know.`;
    return `${lost.label}${psn} is lost on its way. ${rest}`;
  }
  const reth = packets.some((packet) => packet.reth !== null);
  if (packets.length === 1) {
    const from = one.inline
      ? 'takes the payload from the WQE'
      : one.bytes > 0
        ? 'reads the bytes from memory'
        : 'needs no memory';
    return `The device ${from} and sends one packet, ${packets[0]!.label}.${reth ? ' Its RETH carries address, rkey and length.' : ''}`;
  }
  return `The device reads the bytes straight from memory and ${cut}: ${labels(packets)}.${reth ? ` Only ${packets[0]!.label} carries the RETH with address, rkey and length.` : ' None of them carries an address.'}`;
}

export function landingCaption(
  events: Events,
  one: PostedEvent,
  burst: Burst,
  recv: PostedEvent | null,
): string {
  const other = otherSide(one.side);
  const idle = makesNoCall(events, other, burst.lands, burst.to);
  const between = burst.packets.every(({ arrived }) => arrived === null)
    ? ' The arrival was not recorded: the bytes land between these packets and the answer.'
    : '';
  if (one.opcode.startsWith('SEND')) {
    const grh =
      events.recording.transport === 'UD' ? ' They begin 40 B into it: the first 40 B are for the GRH.' : '';
    const takes = recv
      ? `${capital(whose(events, other))} device takes ${recv.name} from the receive queue. `
      : '';
    return `${takes}The bytes land in the RECV’s buffer.${grh}${between}`;
  }
  const bytes = burst.packets.length > 1 ? 'the bytes of each packet' : 'the bytes';
  const checks = `${capital(whose(events, other))} device checks rkey, bounds and access right, then puts ${bytes} in place.`;
  const taken = burst.packets.filter((packet) => packet.taken).length;
  if (taken === 0) return `${capital(whose(events, other))} device takes none of the packets.`;
  if (recv)
    return `${checks} The last packet takes ${recv.name} from the receive queue: its immediate needs a completion.${between}`;
  return `${checks}${idle ? ` ${capital(whose(events, other))} program makes no call.` : ''}${between}`;
}

export function refusedCaption(events: Events, one: PostedEvent): string {
  const out = beyond(events, one);
  const other = whose(events, otherSide(one.side));
  if (!out || !one.remote) return `${capital(other)} device checks the request before it writes a byte.`;
  const { offset } = one.remote;
  return `${capital(other)} device checks the RETH before it writes a byte: ${offsetText(offset)} to ${offsetText(offset + one.bytes)} sticks out of the region by ${bytesText(out.by)}.`;
}

export function responseCaption(events: Events, one: PostedEvent, { packets }: Burst): string {
  const other = capital(whose(events, otherSide(one.side)));
  if (one.opcode.startsWith('ATOMIC'))
    return `${other} device reads the 8 B, changes them and answers with the old value. No other atomic of that device comes between.`;
  const lost = packets.find((packet) => packet.lost);
  if (lost)
    return `${other} device reads the memory and sends ${plural(packets.length, 'response')}. ${lost.label} is lost.`;
  return `${other} device checks the rkey and the right REMOTE_READ, reads the memory and sends ${plural(packets.length, 'response')}. Their PSNs begin with that of the request.`;
}

export function ackCaption(events: Events, one: PostedEvent, burst: Burst): string {
  const last = burst.packets.at(-1)!;
  const other = otherSide(one.side);
  if (last.lost)
    return `The ACK is lost. All bytes are in place, but ${whose(events, one.side)} device does not know that.`;
  const psn = last.psn ?? 0;
  const covers =
    psn > 0
      ? `One ACK for PSN ${psnText(psn)} acknowledges all packets up to it.`
      : 'The ACK says that the message arrived.';
  const cqe = events.find('cqe', one.request);
  const written =
    cqe && cqe.since === undefined && cqe.t >= last.from
      ? ` ${capital(whose(events, one.side))} device writes a completion.`
      : '';
  const knows =
    one.opcode === 'RDMA_WRITE' && makesNoCall(events, other, burst.from, burst.to)
      ? ` It means that the bytes are placed. ${capital(whose(events, other))} program still knows nothing.`
      : '';
  return `${covers}${knows}${written}`;
}

export function nakCaption(
  events: Events,
  one: PostedEvent,
  { packets }: Burst,
  before: Burst | undefined,
): string {
  const [nak] = packets as [PacketEvent];
  const other = otherSide(one.side);
  if (nak.refusal === 'psn sequence error') {
    const dropped = before?.packets.filter(({ lost, taken }) => !lost && !taken) ?? [];
    const came =
      dropped.length > 0
        ? `${listText(dropped.map(({ label }) => label))} ${dropped.length > 1 ? 'arrive' : 'arrives'}, and ${psnText(nak.psn ?? 0)} is missing.`
        : `${psnText(nak.psn ?? 0)} is missing.`;
    return `${came} RC takes packets in order only, so ${whose(events, other)} device drops what came after the gap and sends a NAK: PSN sequence error, expected ${psnText(nak.psn ?? 0)}.`;
  }
  const raised = events.of('async').find(({ side }) => side === other)?.event;
  const event = raised ? ` ${capital(whose(events, other))} device raises ${raised}.` : '';
  return `${nak.label}${nak.refusal ? `, ${nak.refusal}` : ''}. Nothing was written.${event}`;
}
