/** Packets of all hosts during a collective, captured at every host and counted by the devices. */
import type { LabContext, PacketSummary } from '@verbslab/protocol';
import { RC } from '@verbslab/roce';
import { plural } from '../base/format.js';
import { startTap } from '../wire/tap.js';
import { sharesAddress, type Context, type Host } from './hosts.js';

/** Packets of all hosts. */
export interface Packets {
  data: number;
  acks: number;
  /** Data packets and ACKs that were sent again. */
  again: number;
  /** Messages that each host sent, and the bytes in them. */
  messages: number[];
  bytes: number[];
}

export interface Captured<T> {
  done: T;
  /** Null where the devices do not show their packets. */
  packets: Packets | null;
  /** Packets sent by all devices, by their counters; null where a counter is missing or is of several hosts. */
  counted: number | null;
}

const ENDS: readonly number[] = [RC.writeLast, RC.writeOnly, RC.writeLastImmediate, RC.writeOnlyImmediate];
const WRITES: readonly number[] = [RC.writeFirst, RC.writeMiddle, ...ENDS];

/** All packets that were captured. */
const inAll = ({ data, acks, again }: Packets): number => data + acks + again;

interface OneCaptured {
  name: string;
  packets: Packets | null;
  counted: number | null;
}

/** Checks `packets`, by the lab’s rule, and `counters`: the devices count what was captured. */
export function judgePackets<T extends OneCaptured>(
  ctx: LabContext<unknown>,
  all: readonly T[],
  isRight: (packets: Packets, one: T) => boolean,
  say: (packets: Packets, one: T) => string,
): void {
  const captured = all.flatMap((one) => (one.packets ? [{ one, packets: one.packets }] : []));
  if (captured.length === 0) {
    ctx.doesNotApply('packets', 'Not every device shows its packets.');
    return ctx.doesNotApply('counters', 'There is no capture to compare the counters with.');
  }
  ctx.check(
    'packets',
    captured.every(({ one, packets }) => isRight(packets, one)),
    captured.map(({ one, packets }) => `${one.name}: ${say(packets, one)}.`).join(' '),
  );
  if (captured.some(({ one }) => one.counted === null))
    return ctx.doesNotApply('counters', 'Not every host has a counter of sent packets of its own.');
  ctx.check(
    'counters',
    captured.every(({ one, packets }) => one.counted === inAll(packets)),
    captured
      .map(
        ({ one, packets }) =>
          `${one.name}: the devices counted ${plural(one.counted!, 'sent packet')}, the capture has ${inAll(packets)}.`,
      )
      .join(' '),
  );
}

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

async function sentBy(hosts: readonly Host[]): Promise<number | null> {
  let sum = 0;
  for (const { endpoint } of hosts) {
    if (!endpoint.has('counters')) return null;
    const { values } = await endpoint.call('counters', { when: 'sample' });
    if (values.sent_pkts === undefined) return null;
    sum += values.sent_pkts;
  }
  return sum;
}

async function startTaps(ctx: Context, hosts: readonly Host[], oneAddress: boolean): Promise<boolean> {
  for (const { endpoint } of hosts) {
    if (!endpoint.has('tap')) return false;
    if (!(await startTap(ctx, endpoint.name, oneAddress, { maxPackets: 4096, mode: 'keep' }))) return false;
  }
  return true;
}

/** Performs each work once, in this order. Captures only here: measure times before or after, without a tap. */
export async function captureEach<A, T>(
  ctx: Context,
  hosts: readonly Host[],
  works: readonly A[],
  perform: (work: A) => Promise<T>,
): Promise<Captured<T>[]> {
  const shared = sharesAddress(hosts);
  // A kernel device has one set of counters for all hosts on it.
  const own = !shared || hosts.every(({ endpoint }) => endpoint.device.providerClass !== 'kernel');
  const on = await startTaps(ctx, hosts, shared);
  const flush = async (): Promise<PacketSummary[][]> =>
    Promise.all(hosts.map(async ({ endpoint }) => (await endpoint.call('tap.flush', {})).list));
  const found: Captured<T>[] = [];
  for (const work of works) {
    if (on) await flush();
    const before = own ? await sentBy(hosts) : null;
    const done = await perform(work);
    const after = before === null ? null : await sentBy(hosts);
    const counted = before === null || after === null ? null : after - before;
    found.push({ done, packets: on ? sortOut(await flush()) : null, counted });
  }
  if (on) for (const { endpoint } of hosts) await endpoint.call('tap.stop', {});
  return found;
}
