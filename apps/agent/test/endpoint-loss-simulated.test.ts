/**
 * The live device and the fabric simulator under the same loss: what a loss costs does not depend on which of the two drives
 * the engine. A long delay decides all times. A busy machine makes the round trip longer still, so it is measured, and is an
 * input of the simulation.
 */
import type { EndpointLoopResult, QpPolicyChoice, SimulationResult } from '@verbslab/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { Simulations } from '../src/simulator/simulation.js';
import { Recording } from './endpoint-harness.js';
import { ownAddress } from './helpers/own-address.js';
import { testEndpoint } from './helpers/test-endpoint.js';

ownAddress('127.0.0.93');

const MTU = 1024;
const DELAY_US = 10_000;
const SECONDS = 7;
/** A simulation is cheap: its own statistical error is to be small beside that of the live device. */
const SIMULATED_SECONDS = 60;
const WITHIN = 0.1;

interface Load {
  recovery: NonNullable<QpPolicyChoice['recovery']>;
  qps: number;
  /** Packets of a message. */
  packets: number;
  /** Messages in flight of a QP. */
  depth: number;
  loss: number;
  /** ACK timeout of the QPs: 4.096 µs × 2^timeout. */
  timeout: number;
}

/** Counts and goodput of a time, by either device. */
interface Seen {
  lost: number;
  again: number;
  naks: number;
  timeouts: number;
  mbps: number;
}

const goodputMbps = ({ bytes, elapsedNs }: EndpointLoopResult): number => (bytes * 8000) / elapsedNs;

/** Mean latency of the messages that waited for no lost packet, which are the fastest; µs. @param share of all messages */
function roundTripUs({ latency }: EndpointLoopResult, share: number): number {
  const unharmed = latency.count * share;
  let [taken, sum] = [0, 0];
  for (const [ns, count] of latency.distribution!.toSorted(([a], [b]) => a - b)) {
    const here = Math.min(count, unharmed - taken);
    taken += here;
    sum += here * ns;
  }
  return sum / taken / 1000;
}

async function openLive({ recovery, qps, packets, depth, timeout }: Load) {
  const recording = new Recording();
  const open = async (name: string) => {
    const endpoint = await testEndpoint(recording, name);
    const { pd } = await endpoint.call('allocPd', {});
    const { cq } = await endpoint.call('createCq', { depth: 1024, events: true });
    const region = await endpoint.call('regMr', {
      pd,
      length: 2 * 1024 * 1024,
      access: ['LOCAL_WRITE', 'REMOTE_WRITE'],
    });
    const made = await Promise.all(
      Array.from({ length: qps }, () =>
        endpoint.call('createQp', { pd, sendCq: cq, maxSendWr: depth, link: 'udp', policy: { recovery } }),
      ),
    );
    return { endpoint, region, made };
  };
  const client = await open('client');
  const server = await open('server');
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const)
    for (const [i, { qp }] of to.made.entries())
      await to.endpoint.call('connectQp', {
        qp,
        remote: from.made[i]!.info,
        options: { timeout, mtu: MTU, retryCount: 7 },
      });
  const { addr, rkey, length } = server.region;
  const write = async (durationMs: number): Promise<EndpointLoopResult> => {
    const { loop } = await client.endpoint.call('loop.start', {
      transport: 'rdma',
      role: 'initiator',
      measure: 'bandwidth',
      wait: 'event',
      source: 0,
      report: false,
      records: 'none',
      op: 'write',
      qps: client.made.map(({ qp }) => qp),
      mr: client.region.mr,
      remote: { addr, rkey, length },
      size: packets * MTU,
      txDepth: depth,
      cqMod: 1,
      durationMs,
      omitMs: 200,
      idleTimeoutMs: 60_000,
    });
    const result = await client.endpoint.call('loop.wait', { loop });
    expect(result.error).toBeUndefined();
    return result;
  };
  return { client: client.endpoint, server: server.endpoint, write };
}

/** Measures the live device, and its round trip meanwhile. */
async function measureLive(load: Load, seed: number): Promise<Seen & { rttUs: number }> {
  const { client, server, write } = await openLive(load);
  const shaping = { delayUs: DELAY_US, limit: 100_000 };
  await server.call('faults', { shaping });
  await client.call('faults', { shaping, rates: { drop: load.loss, seed: `0x${seed.toString(16)}` } });
  const { values: before } = await client.call('counters', { when: 'sample' });
  const loop = await write(SECONDS * 1000);
  const { values: after } = await client.call('counters', { when: 'sample' });
  const { dropped } = await client.call('faults.query', {});
  const moved = (name: string): number => after[name]! - before[name]!;
  return {
    rttUs: roundTripUs(loop, (1 - load.loss) ** (load.packets * load.depth)),
    lost: dropped,
    again: moved('retransmitted_pkts'),
    naks: moved('packet_seq_err'),
    timeouts: moved('local_ack_timeout_err'),
    mbps: goodputMbps(loop),
  };
}

async function simulate(load: Load, rttUs: number, seed: number): Promise<Seen> {
  const cancel = new AbortController();
  const simulations = new Simulations(cancel.signal, () => {});
  onTestFinished(() => simulations.settled());
  const { result } = await simulations.run({
    name: load.recovery,
    seed,
    duration_us: SIMULATED_SECONDS * 1e6,
    topology: { kind: 'back-to-back' },
    link: { loss: load.loss, delay_ns: Math.round((rttUs / 2) * 1000) },
    host: { latency_ns: 0 },
    transport: {
      mtu: MTU,
      recovery: load.recovery,
      qps: load.qps,
      window_bytes: 512 * 1024,
      message_bytes: load.packets * MTU,
      depth: load.depth,
      timeout: load.timeout,
      timeout_window_cut: 8,
    },
    // A flow has one connection.
    traffic: [{ kind: 'flow', from: 0, to: 1, count: load.qps }],
  });
  return seenOf(result);
}

const seenOf = ({
  drops,
  retransmitted,
  naks,
  timeouts,
  bytes_acknowledged,
  us,
}: SimulationResult): Seen => ({
  lost: drops['link loss'] ?? 0,
  again: retransmitted,
  naks,
  timeouts,
  mbps: (bytes_acknowledged * 8) / us,
});

/** What does not depend on the time that each has run. */
const ratiosOf = ({ lost, again, naks, timeouts, mbps }: Seen) => ({
  again: again / lost,
  naks: naks / lost,
  timeouts: timeouts / lost,
  mbps,
});

/** Compares these figures of both, and prints all. */
async function compare(
  load: Load,
  names: readonly (keyof ReturnType<typeof ratiosOf>)[],
  enough: keyof Seen,
): Promise<void> {
  const seed = 1 + Math.floor(Math.random() * 1e6);
  const { rttUs, ...live } = await measureLive(load, seed);
  const simulated = await simulate(load, rttUs, seed);
  const [one, other] = [ratiosOf(live), ratiosOf(simulated)];
  console.info(
    `seed ${seed}, ${JSON.stringify(load)}, round trip ${rttUs.toFixed(0)} µs\n  live ${JSON.stringify({ ...live, ...one })}\n  simulated ${JSON.stringify({ ...simulated, ...other })}`,
  );
  // The events that decide are so many that chance moves no figure by more than a third of what is allowed.
  expect(live[enough]).toBeGreaterThan(300);
  for (const name of names)
    expect(
      Math.abs(one[name] / other[name] - 1),
      `${name}: ${one[name]} live, ${other[name]} simulated`,
    ).toBeLessThan(WITHIN);
}

// A message is as long as what is in flight, so nothing depends on how soon a program posts the next one.
it('go-back-N: packets sent again and NAKs per loss, and goodput', () =>
  compare(
    { recovery: 'go-back-n', qps: 8, packets: 32, depth: 1, loss: 0.01, timeout: 16 },
    ['again', 'naks', 'mbps'],
    'lost',
  ));

// Behind a lost packet there is another message, so few losses wait for a timeout, and the receiver has room for all that is in flight
// (128 packets): either would send much again, at few times. A device that takes in several packets at once answers them with one NAK, so
// how many there are depends on how late it was.
it('selective repeat: packets sent again per loss, and goodput', () =>
  compare(
    { recovery: 'selective-repeat', qps: 4, packets: 8, depth: 4, loss: 0.02, timeout: 15 },
    ['again', 'mbps'],
    'lost',
  ));

it('messages of two packets, one in flight: timeouts and packets sent again per loss, and goodput', () =>
  compare(
    { recovery: 'go-back-n', qps: 64, packets: 2, depth: 1, loss: 0.05, timeout: 16 },
    ['again', 'timeouts', 'mbps'],
    'timeouts',
  ));
