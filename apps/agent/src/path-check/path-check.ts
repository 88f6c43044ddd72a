/** Checks if two devices reach each other over RDMA, from their presence to a WRITE whose bytes are compared. */
import { randomUUID } from 'node:crypto';
import {
  AppError,
  LatencyHistogram,
  toErrorInfo,
  type DeviceInfo,
  type EndpointResult,
  type PathCheck,
  type PathStep,
  type PathStepId,
} from '@verbslab/protocol';
import { addressOfGid } from '@verbslab/labs';
import { answers, type Subsystem } from '../base/subsystem.js';
import { readPlace, type Hosts } from '../runs/place.js';
import type { HostedEndpoint } from '../endpoint/hosted-endpoint.js';
import { isLoopback } from '../config/own-addresses.js';

const TITLES: Readonly<Record<PathStepId, string>> = {
  devices: 'Both devices open, and their ports are active',
  gids: 'Their GIDs are compatible',
  ping: 'UDP datagrams make the round trip',
  mtu: 'Datagrams of the path MTU make the round trip',
  write: 'A WRITE arrives, byte for byte',
};

/** Number of pings, more than a median needs: the first ones also wake sleeping parts of the other end. */
const PINGS = 20;
const PING_MS = 2_000;
const CLOSE_MS = 1_000;
const WRITE_BYTES = 64 * 1024;
const WRITE_MS = 10_000;
const SEED = 20_261_121;
/** Bytes of BTH, RETH and ICRC: the headers of a WRITE’s first packet besides IP and UDP. */
const ROCE_HEADERS = 12 + 16 + 4;

/** Thrown within a step that failed, with the message for its line. */
class StepFailure extends Error {
  constructor(
    message: string,
    readonly cure: string,
  ) {
    super(message);
  }
}

interface End {
  label: string;
  endpoint: HostedEndpoint;
  net: EndpointResult<'query'>;
  address: string;
}

interface PathCheckOptions {
  hosts: Hosts;
  host: string;
  /** Returns RUN_BUSY while something else uses the devices of this host, or null. */
  elsewhere: () => AppError | null;
}

/** Checks paths between two devices for clients, one at a time. */
export class PathChecks implements Subsystem {
  readonly #options: PathCheckOptions;
  #checking = false;
  readonly messages = answers({
    'peers.check': async ({ from, to }) => ({ check: await this.#check(from, to) }),
  });

  constructor(options: PathCheckOptions) {
    this.#options = options;
  }

  busy(): AppError | null {
    if (!this.#checking) return null;
    return new AppError('RUN_BUSY', {
      what: 'A path check',
      host: this.#options.host,
      hint: 'Wait until it ends, a few minutes at most.',
    });
  }

  async #check(from: string, to: string): Promise<PathCheck> {
    const busy = this.busy() ?? this.#options.elsewhere();
    if (busy) throw busy;
    this.#checking = true;
    try {
      return await checkPath(from, to, this.#options.hosts);
    } finally {
      this.#checking = false;
    }
  }
}

/**
 * Checks a path. Never rejects for problems of the path; rejects with AppError (UNKNOWN_HOST, …) for a wrong request.
 */
async function checkPath(from: string, to: string, hosts: Hosts): Promise<PathCheck> {
  const ends = [from, to].map((text) => {
    const { host, device } = readPlace(text, hosts.hosts);
    if (!hosts.hosts.includes(host))
      throw new AppError('UNKNOWN_HOST', { host, known: hosts.hosts.join(', ') });
    return { host, device };
  }) as [Wanted, Wanted];
  const run = randomUUID();
  const opened: HostedEndpoint[] = [];
  const steps: PathStep[] = [];
  const labels: [string, string] = [from, to];
  const step = async (id: PathStepId, body: () => Promise<string>): Promise<void> => {
    if (steps.some(({ state }) => state === 'failed')) {
      steps.push({ id, title: TITLES[id], state: 'skipped', detail: 'Not tried.', cure: null, seconds: 0 });
      return;
    }
    const begin = performance.now();
    const seconds = (): number => Math.round(performance.now() - begin) / 1000;
    try {
      const detail = await body();
      steps.push({ id, title: TITLES[id], state: 'ok', detail, cure: null, seconds: seconds() });
    } catch (error) {
      const { message, cure } = error instanceof StepFailure ? error : toErrorInfo(error);
      steps.push({ id, title: TITLES[id], state: 'failed', detail: message, cure, seconds: seconds() });
    }
  };
  let a!: End;
  let b!: End;
  let mtu = 0;
  try {
    await step('devices', async () => {
      const found = await Promise.all(ends.map(({ host, device }) => pick(hosts, host, device)));
      found.forEach(({ name }, index) => (labels[index] = `${ends[index as 0 | 1].host}/${name}`));
      const names = ['client', 'server'] as const;
      const results = await Promise.allSettled(
        ends.map(async ({ host }, index) => {
          const endpoint = await hosts.spawner(
            host,
            run,
          )({
            name: names[index] ?? '',
            device: found[index]?.name ?? '',
            purpose: 'A path check',
            clock: process.hrtime.bigint(),
            onEvents: () => undefined,
            onFrame: () => undefined,
            onLog: () => undefined,
          });
          opened.push(endpoint);
          return describe(labels[index as 0 | 1], endpoint);
        }),
      );
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      [a, b] = results.map((result) => (result as PromiseFulfilledResult<End>).value) as [End, End];
      for (const end of [a, b]) requireActive(end);
      return `${a.label} (${a.endpoint.device.providerClass}) and ${b.label} (${b.endpoint.device.providerClass}).`;
    });
    await step('gids', () => Promise.resolve(compareGids(a, b)));
    await step('ping', () => ping(a, b, 64));
    await step('mtu', async () => {
      mtu = Math.min(a.net.mtu, b.net.mtu);
      const detail = await ping(a, b, mtu + ROCE_HEADERS);
      return `The path MTU is ${mtu} B${a.net.mtu === b.net.mtu ? ', the MTU of both ports' : `, the smaller of ${a.net.mtu} B and ${b.net.mtu} B`}. ${detail}`;
    });
    await step('write', () => write(a, b, mtu as End['net']['mtu']));
  } finally {
    await Promise.all(opened.map((endpoint) => endpoint.close(CLOSE_MS)));
  }
  return {
    from: labels[0],
    to: labels[1],
    ok: steps.every(({ state }) => state === 'ok'),
    steps,
    checkedAt: Date.now(),
  };
}

interface Wanted {
  host: string;
  device?: string;
}

async function pick(hosts: Hosts, host: string, wanted: string | undefined): Promise<DeviceInfo> {
  const devices = await hosts.devices(host);
  const device =
    wanted === undefined
      ? (devices.find(({ problem }) => !problem) ?? devices[0])
      : devices.find(({ name }) => name === wanted);
  if (!device) {
    const known = devices.map(({ name }) => name).join(', ') || 'none';
    throw new AppError('UNKNOWN_DEVICE', { device: `${host}/${wanted ?? ''}`, known });
  }
  if (device.problem) throw new StepFailure(device.problem.message, device.problem.cure);
  return device;
}

async function describe(label: string, endpoint: HostedEndpoint): Promise<End> {
  const net = await endpoint.call('query', {});
  return { label, endpoint, net, address: addressOfGid(net.gid) };
}

function requireActive({ label, net }: End): void {
  const state = net.device.ports.find(({ port }) => port === net.port)?.state;
  if (state !== 'ACTIVE')
    throw new StepFailure(
      `Port ${net.port} of ${label} is ${state ?? 'gone'}.`,
      'Bring its network interface up (`ip link set … up`) and give it an address.',
    );
}

const isV4 = (address: string): boolean => !address.includes(':');
const isLinkLocal = (address: string): boolean => /^fe[89ab]/i.test(address);

/**
 * Compares the GIDs that labs use by default: the first RoCEv2 GID with an IPv4 address, or else the first RoCEv2 GID.
 */
function compareGids(a: End, b: End): string {
  const both = `${a.label} has the address ${a.address} (GID ${a.net.gidIndex}), ${b.label} has ${b.address} (GID ${b.net.gidIndex})`;
  if (isV4(a.address) !== isV4(b.address))
    throw new StepFailure(
      `${both}: one is IPv4 and the other IPv6.`,
      'Give both network interfaces an IPv4 address.',
    );
  if (isLinkLocal(a.address) || isLinkLocal(b.address))
    throw new StepFailure(
      `${both}: a link-local address is not enough.`,
      'Give both network interfaces an IPv4 address.',
    );
  if (isLoopback(a.address) !== isLoopback(b.address)) {
    const inward = isLoopback(a.address) ? a : b;
    throw new StepFailure(`${both}: ${inward.label} can be reached only from its own host.`, LOOPBACK_CURE);
  }
  return `${both}.`;
}

const LOOPBACK_CURE =
  'Start the agent there with UROCE_NETDEV=INTERFACE (or UROCE_ADDR=ADDRESS), so that its embedded device has an address that other hosts can reach.';

/** Sends `size` bytes of UDP payload there and back, on a port of their own: UDP 4791 itself belongs to the devices. */
async function ping(a: End, b: End, size: number): Promise<string> {
  const common = {
    transport: 'udp',
    source: 0,
    measure: 'latency',
    size,
    wait: 'event',
    report: false,
  } as const;
  const target = await b.endpoint.call('loop.start', {
    ...common,
    role: 'target',
    host: b.address,
    port: 0,
    idleTimeoutMs: 0,
  });
  try {
    const initiator = await a.endpoint.call('loop.start', {
      ...common,
      role: 'initiator',
      host: b.address,
      port: target.port,
      iterations: PINGS,
      durationMs: PING_MS,
    });
    const { messages, latency } = await a.endpoint.call('loop.wait', { loop: initiator.loop });
    if (messages === 0)
      throw new StepFailure(
        `No answer to UDP datagrams of ${size} B from ${a.address} to ${b.address}, port ${target.port}, within ${PING_MS / 1000} s.`,
        isLoopback(b.address)
          ? `${b.address} is a loopback address. If the two agents are on different hosts: ${LOOPBACK_CURE}`
          : `Try \`ping ${b.address}\`; look for a firewall on the way (UDP, and port 4791 for RoCE), and whether the route leads there: \`ip route get ${b.address}\`.`,
      );
    const median = LatencyHistogram.of(latency.distribution ?? []).percentile('p50');
    return `${messages} datagrams of ${size} B came back${median === null ? '' : `; median round trip ${us(median)}`}.`;
  } finally {
    await b.endpoint.call('loop.stop', { loop: target.loop });
  }
}

const us = (ns: number): string => (ns < 1e6 ? `${Math.round(ns / 1e3)} µs` : `${(ns / 1e6).toFixed(1)} ms`);

async function write(a: End, b: End, mtu: End['net']['mtu']): Promise<string> {
  const client = await build(a.endpoint, ['LOCAL_WRITE']);
  const server = await build(b.endpoint, ['LOCAL_WRITE', 'REMOTE_WRITE']);
  await b.endpoint.call('connectQp', { qp: server.qp.qp, remote: client.qp.info, options: { mtu } });
  await a.endpoint.call('connectQp', { qp: client.qp.qp, remote: server.qp.info, options: { mtu } });
  await a.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length: WRITE_BYTES, seed: SEED });
  const begin = performance.now();
  await a.endpoint.call('postSend', {
    qp: client.qp.qp,
    wr: {
      wrId: 1,
      opcode: 'RDMA_WRITE',
      local: [{ mr: client.mr.mr, offset: 0, length: WRITE_BYTES }],
      remote: { addr: server.mr.addr, rkey: server.mr.rkey },
      signaled: true,
    },
  });
  const { completions } = await a.endpoint.call('waitCq', { cq: client.cq, count: 1, timeoutMs: WRITE_MS });
  const took = Math.round(performance.now() - begin);
  const wc = completions[0];
  if (wc?.status !== 0)
    throw new StepFailure(
      wc
        ? `The WRITE of ${WRITE_BYTES} B ended with ${wc.statusName} (${wc.status}).`
        : `The WRITE of ${WRITE_BYTES} B had no completion within ${WRITE_MS / 1000} s.`,
      'UDP gets through, but not to port 4791: open it in the firewalls of both hosts, and check that no other device has the same address.',
    );
  const [sent, arrived] = await Promise.all(
    [[a, client] as const, [b, server] as const].map(([end, { mr }]) =>
      end.endpoint.call('hashMemory', { mr: mr.mr, offset: 0, length: WRITE_BYTES }),
    ),
  );
  if (sent?.sha256 !== arrived?.sha256)
    throw new StepFailure(
      `The WRITE of ${WRITE_BYTES} B completed, but the bytes at ${b.label} differ from those that were sent.`,
      'This should never happen. Report it with the names and versions of both devices.',
    );
  return `${WRITE_BYTES / 1024} KiB written in packets of ${mtu} B and compared (SHA-256 at both ends). It took ${took} ms, including the calls to post it and wait for its completion.`;
}

async function build(
  endpoint: HostedEndpoint,
  access: ('LOCAL_WRITE' | 'REMOTE_WRITE')[],
): Promise<{ mr: EndpointResult<'regMr'>; qp: EndpointResult<'createQp'>; cq: number }> {
  const { pd } = await endpoint.call('allocPd', {});
  const mr = await endpoint.call('regMr', { pd, length: WRITE_BYTES, access });
  const { cq } = await endpoint.call('createCq', { depth: 16 });
  return { mr, cq, qp: await endpoint.call('createQp', { pd, sendCq: cq, maxSendWr: 16, maxRecvWr: 1 }) };
}
