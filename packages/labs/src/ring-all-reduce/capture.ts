/** An all-reduce of each algorithm with captured packets, compared with the formulas. */
import { captureEach, judgePackets, type Captured as CapturedWork } from '../collective/capture.js';
import { mtuOf, type Host } from '../collective/hosts.js';
import { formatNumber, plural } from '../base/format.js';
import type { AllReduce } from './all-reduce.js';
import type { Context } from './params.js';
import { ALGORITHMS, costsOf, NAMES, sendsOf, type Algorithm } from './schedule.js';
import { FLOAT } from './vectors.js';

/** Messages and bytes of each host are those of the capture, or of the requests that completed. */
export interface Captured extends CapturedWork<AllReduce> {
  algorithm: Algorithm;
  messages: number[];
  bytes: number[];
  /** Data packets that the messages need. */
  needed: number;
}

export async function captureAllReduces(
  ctx: Context,
  hosts: readonly Host[],
  elements: number,
  perform: (algorithm: Algorithm) => Promise<AllReduce>,
): Promise<Captured[]> {
  const mtu = mtuOf(hosts);
  const captured = await captureEach(ctx, hosts, ALGORITHMS, perform);
  return captured.map((one, i) => {
    const algorithm = ALGORITHMS[i]!;
    const sent = hosts.map((_, host) =>
      sendsOf(algorithm, hosts.length, host, elements).map((count) => count * FLOAT),
    );
    const needed = sent.flat().reduce((sum, bytes) => sum + Math.ceil(bytes / mtu), 0);
    return {
      ...one,
      algorithm,
      messages: one.packets?.messages ?? sent.map(({ length }) => length),
      bytes: one.packets?.bytes ?? sent.map((list) => list.reduce((sum, bytes) => sum + bytes, 0)),
      needed,
    };
  });
}

export function showCaptured(ctx: Context, captured: readonly Captured[], elements: number): void {
  const vector = elements * FLOAT;
  for (const { algorithm, messages, bytes, packets, needed, counted, done } of captured) {
    const formula = costsOf(algorithm, messages.length);
    const total = messages.reduce((sum, one) => sum + one, 0);
    const most = Math.max(...bytes) / vector;
    ctx.figure(`messages-${algorithm}`, total);
    ctx.figure(`sent-${algorithm}`, most);
    ctx.figure(`packets-${algorithm}`, packets?.data ?? null);
    ctx.row('counts', {
      algorithm: NAMES[algorithm],
      steps: formula.steps,
      messages: total,
      messagesFormula: formula.messages,
      most,
      mostFormula: formula.most,
      packets: packets?.data ?? null,
      packetsFormula: needed,
      acks: packets?.acks ?? null,
      again: packets?.again ?? null,
      counted,
    });
    for (const [host, sent] of messages.entries())
      ctx.row('hosts', {
        algorithm: NAMES[algorithm],
        host: host + 1,
        sent,
        received: done.received[host]!,
        bytes: bytes[host]!,
        vectors: bytes[host]! / vector,
      });
  }
}

export function judgeCaptured(ctx: Context, captured: readonly Captured[], elements: number): void {
  const vector = elements * FLOAT;
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
  const bad = captured.filter(({ algorithm, messages, bytes, done }) => {
    const { messages: all, most } = costsOf(algorithm, messages.length);
    return (
      sum(messages) !== all ||
      sum(done.received) !== all ||
      Math.abs(Math.max(...bytes) - most * vector) > 0.5 ||
      sum(bytes) !== 2 * (bytes.length - 1) * vector
    );
  });
  ctx.check(
    'messages',
    bad.length === 0,
    captured
      .map(
        ({ algorithm, messages, bytes, done }) =>
          `${NAMES[algorithm]}: ${plural(sum(messages), 'message')} sent, ${sum(done.received)} received, ` +
          `${formatNumber(sum(bytes) / vector)} vectors in all, ${formatNumber(Math.max(...bytes) / vector)} from the host that sent most.`,
      )
      .join(' '),
  );
  judgePackets(
    ctx,
    captured.map((one) => ({ ...one, name: NAMES[one.algorithm] })),
    ({ data }, { needed }) => data === needed,
    ({ data, acks, again }, { needed }) =>
      `${plural(data, 'data packet')}, computed ${needed}; ${plural(acks, 'ACK')}` +
      (again === 0 ? '' : `; ${again} retransmitted`),
  );
}
