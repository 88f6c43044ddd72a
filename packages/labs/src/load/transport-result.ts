/** The figures of a transport, from the measurements of two loops. Pure functions. */
import {
  LatencyHistogram,
  overRounds,
  type EndpointLoopResult,
  type Link,
  type Round,
  type Transport,
  type TransportResult,
} from '@verbslab/protocol';
import type { Measured } from './both-ends.js';
import { addCpu, cpuSeconds, outsideSeconds, perGB, totalCpu } from './cpu-seconds.js';

const NS = 1e-9;

/** CPU seconds of one end per 10^9 bytes, all parts together. */
const costOf = (end: EndpointLoopResult, bytes: number): number => totalCpu(cpuSeconds(end)) / (bytes / 1e9);

const latenciesOf = ({ latency }: EndpointLoopResult): LatencyHistogram =>
  LatencyHistogram.of(latency.distribution ?? []);

/**
 * The figures of one round: goodput as the client, which starts the transfers, measured it; CPU of both ends over the
 * client's bytes.
 */
function roundOf({ client, server }: Measured, transport: Transport, together: boolean): Round {
  const seconds = client.elapsedNs * NS;
  const cpu = addCpu(cpuSeconds(client), cpuSeconds(server));
  const outside = together ? null : outsideSeconds([client, server]);
  return {
    goodputGbps: seconds > 0 ? (client.bytes * 8) / 1e9 / seconds : 0,
    messagesPerSecond: seconds > 0 ? client.messages / seconds : 0,
    cpuSecondsPerGB: perGB(transport === 'tcp' ? { ...cpu, nic: 0 } : cpu, client.bytes, outside),
    cpuOfEnds:
      client.bytes > 0
        ? { client: costOf(client, client.bytes), server: costOf(server, client.bytes) }
        : null,
    latencyUs: latenciesOf(client).us(),
    bytes: client.bytes,
    messages: client.messages,
    seconds,
  };
}

/**
 * The figures of a transport over its rounds: medians and spreads, and the latencies of all rounds together.
 *
 * TCP does no NIC work outside the kernel: its `nic` is 0, not unknown.
 *
 * `together`: another transport ran at the same time, so what the kernel did outside of every process cannot be attributed.
 *
 * `link`: what carried its packets, where the device has more than one.
 */
export function transportResult(
  rounds: readonly Measured[],
  transport: Transport,
  together = false,
  link?: Link | null,
): TransportResult {
  const latency = new LatencyHistogram();
  for (const { client } of rounds) latency.add(latenciesOf(client));
  return {
    ...(link ? { link } : {}),
    ...overRounds(
      rounds.map((one) => roundOf(one, transport, together)),
      latency.us(),
    ),
  };
}
