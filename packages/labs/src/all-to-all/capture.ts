/** One exchange of each algorithm whose packets are captured at every host, and counted by the devices. */
import { plural } from '../format.js';
import { startTap } from '../tap.js';
import { WRITE } from '../messages.js';
import { RC } from '@verbslab/roce';
import type { PacketSummary } from '@verbslab/protocol';
import { exchange, type Exchange } from './exchange.js';
import { mtuOf, sharesAddress, type Context, type Hosts } from './hosts.js';
import { ALGORITHMS, NAMES, scheduleOf, type Algorithm } from './schedule.js';

/** Packets of all hosts. */
interface Packets {
  data: number;
  acks: number;
  /** Sent more than once, of both. */
  again: number;
  /** Messages that each host sent, and the bytes in them. */
  messages: number[];
  bytes: number[];
}

/** Its messages and bytes are those of the capture, where there is one. */
export interface Captured extends Exchange {
  algorithm: Algorithm;
  packets: Packets | null;
  /** By the formula: what the messages need, with an ACK for each. */
  needed: number;
  /** Sent by all devices, as they count; null where a counter is missing or is of several hosts. */
  counted: number | null;
}

const WRITES: readonly number[] = Object.values(WRITE);
const ENDS: readonly number[] = [WRITE.last, WRITE.only];

function sortOut(lists: readonly PacketSummary[][]): Packets {
  const seen = new Set<string>();
  const none = lists.map(() => 0);
  const packets: Packets = { data: 0, acks: 0, again: 0, messages: none, bytes: [...none] };
  for (const [host, list] of lists.entries())
    for (const { direction, opcode, destQpn, psn, payload } of list) {
      const data = WRITES.includes(opcode);
      if (direction !== 'sent' || (!data && opcode !== RC.acknowledge)) continue;
      const key = `${host} ${destQpn} ${psn} ${data}`;
      if (seen.has(key)) {
        packets.again++;
        continue;
      }
      seen.add(key);
      if (!data) {
        packets.acks++;
        continue;
      }
      packets.data++;
      packets.bytes[host]! += payload;
      if (ENDS.includes(opcode)) packets.messages[host]!++;
    }
  return packets;
}

/** Data packets of all messages of all hosts, and one ACK for each message. */
function neededBy({ all, gather }: Hosts, algorithm: Algorithm, size: number, mtu: number): number {
  let packets = 0;
  for (const host of all.keys())
    for (const { blocks } of scheduleOf(algorithm, all.length, host).rounds)
      for (let first = 0; first < blocks.length; first += gather) {
        const bytes = Math.min(gather, blocks.length - first) * size;
        packets += Math.ceil(bytes / mtu) + 1;
      }
  return packets;
}

async function sentBy({ all }: Hosts): Promise<number | null> {
  let sum = 0;
  for (const { endpoint } of all) {
    if (!endpoint.has('counters')) return null;
    const { values } = await endpoint.call('counters', { when: 'sample' });
    if (values.sent_pkts === undefined) return null;
    sum += values.sent_pkts;
  }
  return sum;
}

async function startTaps(ctx: Context, { all }: Hosts, oneAddress: boolean): Promise<boolean> {
  for (const { endpoint } of all) {
    if (!endpoint.has('tap')) return false;
    if (!(await startTap(ctx, endpoint.name, oneAddress, { maxPackets: 4096, mode: 'keep' }))) return false;
  }
  return true;
}

/** Of the small blocks, without a tap while times are measured. */
export async function captureExchanges(ctx: Context, hosts: Hosts): Promise<Captured[]> {
  const size = ctx.params.small;
  const shared = sharesAddress(hosts);
  // A kernel device has one set of counters for all hosts on it.
  const own = !shared || hosts.all.every(({ endpoint }) => endpoint.device.providerClass !== 'kernel');
  const on = await startTaps(ctx, hosts, shared);
  const flush = async (): Promise<PacketSummary[][]> =>
    Promise.all(hosts.all.map(async ({ endpoint }) => (await endpoint.call('tap.flush', {})).list));
  const found: Captured[] = [];
  for (const algorithm of ALGORITHMS) {
    if (on) await flush();
    const before = own ? await sentBy(hosts) : null;
    const done = await exchange(hosts, algorithm, size);
    const after = before === null ? null : await sentBy(hosts);
    const counted = before === null || after === null ? null : after - before;
    const packets = on ? sortOut(await flush()) : null;
    const needed = neededBy(hosts, algorithm, size, mtuOf(hosts));
    const { messages, bytes } = packets ?? done;
    found.push({ ...done, messages, bytes, algorithm, packets, needed, counted });
  }
  if (on) for (const { endpoint } of hosts.all) await endpoint.call('tap.stop', {});
  return found;
}

export function judgePackets(ctx: Context, found: readonly Captured[]): void {
  const captured = found.flatMap(({ packets, ...one }) => (packets ? [{ ...one, packets }] : []));
  if (captured.length === 0) {
    ctx.doesNotApply('packets', 'The devices do not show their packets.');
    return ctx.doesNotApply('counters', 'There is no capture to compare the counters with.');
  }
  ctx.check(
    'packets',
    captured.every(({ packets: { data, acks }, needed }) => data + acks === needed),
    captured
      .map(
        ({ algorithm, packets: { data, acks, again }, needed }) =>
          `${NAMES[algorithm]}: ${plural(data, 'data packet')} and ${plural(acks, 'ACK')}, computed ${needed} together` +
          `${again === 0 ? '' : `, and ${again} retransmitted`}.`,
      )
      .join(' '),
  );
  if (captured.some(({ counted }) => counted === null))
    return ctx.doesNotApply('counters', 'Not every host has a counter of sent packets of its own.');
  const total = ({ packets: { data, acks, again } }: (typeof captured)[number]): number =>
    data + acks + again;
  ctx.check(
    'counters',
    captured.every((one) => one.counted === total(one)),
    captured
      .map(
        (one) =>
          `${NAMES[one.algorithm]}: the devices counted ${plural(one.counted!, 'sent packet')}, the capture has ${total(one)}.`,
      )
      .join(' '),
  );
}
