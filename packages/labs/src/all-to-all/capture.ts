/** An exchange per algorithm, with its packets captured at every host and counted by the devices. */
import { plural } from '../base/format.js';
import { captureEach, judgePackets, type Packets } from '../collective/capture.js';
import { mtuOf } from '../collective/hosts.js';
import { exchange, type Exchange, type Hosts } from './exchange.js';
import type { Context } from './params.js';
import { ALGORITHMS, NAMES, scheduleOf, type Algorithm } from './schedule.js';

/** `messages` and `bytes` come from the capture if there is one. */
export interface Captured extends Exchange {
  algorithm: Algorithm;
  packets: Packets | null;
  /** Packets that the messages need by the formula, with an ACK per message. */
  needed: number;
  /** Packets sent by all devices, by their counters; null where a counter is missing or is of several hosts. */
  counted: number | null;
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

/** Exchanges the small blocks with each algorithm. */
export async function captureExchanges(ctx: Context, hosts: Hosts): Promise<Captured[]> {
  const size = ctx.params.small;
  const captured = await captureEach(ctx, hosts.all, ALGORITHMS, (one) => exchange(hosts, one, size));
  return captured.map(({ done, packets, counted }, i) => {
    const algorithm = ALGORITHMS[i]!;
    const needed = neededBy(hosts, algorithm, size, mtuOf(hosts.all));
    const { messages, bytes } = packets ?? done;
    return { ...done, messages, bytes, algorithm, packets, needed, counted };
  });
}

export const judgeExchanges = (ctx: Context, found: readonly Captured[]): void =>
  judgePackets(
    ctx,
    found.map((one) => ({ ...one, name: NAMES[one.algorithm] })),
    ({ data, acks }, { needed }) => data + acks === needed,
    ({ data, acks, again }, { needed }) =>
      `${plural(data, 'data packet')} and ${plural(acks, 'ACK')}, computed ${needed} together` +
      (again === 0 ? '' : `, and ${again} retransmitted`),
  );
