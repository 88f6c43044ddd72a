/** Hosts, their devices and the links between them, with the traffic of runs in progress. */
import {
  LINKS,
  LOCAL_HOST,
  type AgentInfo,
  type DeviceInfo,
  type EndTraffic,
  type Link,
  type PacketRate,
  type Peer,
  type ProviderClass,
  type RunTraffic,
} from '@verbslab/protocol';

export interface Rates {
  in: PacketRate;
  out: PacketRate;
}

export interface DeviceNode {
  device: DeviceInfo;
  /** Null while no run uses the device, before the second reading, and for a device without counters. */
  rates: Rates | null;
}

export interface HostNode {
  /** Name in places: `local`, or the name of a paired agent. */
  name: string;
  state: Peer['state'];
  agent: AgentInfo | null;
  devices: DeviceNode[];
}

/** A link of a host to itself or to another host, from the perspective of the first. */
export interface HostLink {
  from: HostNode;
  to: HostNode;
  /** Class of the device of `from` that carries the packets, or would carry them. */
  provider: ProviderClass | null;
  /** Media that carry packets now; on an idle link, media that it can use. */
  media: readonly Link[];
  /** Runs in progress on this link. */
  runs: readonly Pick<RunTraffic, 'run' | 'runId'>[];
  /** Sum over all runs. */
  rates: Rates | null;
}

export interface Topology {
  hosts: HostNode[];
  links: HostLink[];
}

const add = (a: PacketRate, b: PacketRate): PacketRate => ({
  packets: a.packets + b.packets,
  bytes: a.bytes === null || b.bytes === null ? null : a.bytes + b.bytes,
});

/**
 * True if the device's counters are those of a single process, as with an embedded device. Other counters are for the
 * whole device, so each endpoint reports the same values.
 */
const ofProcess = ({ providerClass }: EndTraffic): boolean =>
  providerClass === 'user-space' || providerClass === 'simulated';

/** Sum of the rates of these endpoints. */
export function ratesOf(ends: readonly EndTraffic[]): Rates | null {
  const seen = new Set<string>();
  let sum: Rates | null = null;
  for (const end of ends) {
    if (!end.rate) continue;
    const device = `${end.host}/${end.device}`;
    if (!ofProcess(end) && seen.has(device)) continue;
    seen.add(device);
    const { rate } = end;
    sum = sum ? { in: add(sum.in, rate.in), out: add(sum.out, rate.out) } : { in: rate.in, out: rate.out };
  }
  return sum;
}

/** Default device of runs: the first that works. */
const usual = ({ devices }: HostNode): DeviceInfo | undefined =>
  (devices.find(({ device }) => !device.problem) ?? devices[0])?.device;

function mediaOf(from: HostNode, to: HostNode): readonly Link[] {
  const device = usual(from);
  if (device?.providerClass !== 'user-space') return [];
  return from === to && device.capabilities.includes('link') ? ['shm', 'udp'] : ['udp'];
}

export function topologyOf(facts: {
  agent: AgentInfo | null;
  devices: readonly DeviceInfo[];
  peers: readonly Peer[];
  traffic: readonly RunTraffic[];
}): Topology {
  const { agent, devices, peers, traffic } = facts;
  const ends = traffic.flatMap((run) => run.ends);
  const node = (name: string, state: Peer['state'], of: AgentInfo | null, has: readonly DeviceInfo[]) => ({
    ...{ name, state, agent: of },
    devices: has.map((device) => ({
      device,
      rates: ratesOf(ends.filter((end) => end.host === name && end.device === device.name)),
    })),
  });
  const hosts: HostNode[] = [
    node(LOCAL_HOST, 'up', agent, devices),
    ...peers.map((peer) => node(peer.name, peer.state, peer.agent, peer.devices)),
  ];
  const local = hosts[0]!;
  const links = hosts.map((to) => idle(local, to));
  for (const one of pathsOf(hosts, traffic)) occupy(links, one);
  return { hosts, links };
}

const idle = (from: HostNode, to: HostNode): HostLink => ({
  ...{ from, to, provider: usual(from)?.providerClass ?? null, media: mediaOf(from, to) },
  ...{ runs: [], rates: null },
});

interface Path {
  from: HostNode;
  to: HostNode;
  runs: RunTraffic[];
  /** Endpoints of `from`; null if counters do not tell to which of several hosts the packets went. */
  ends: EndTraffic[] | null;
}

/** Pairs of hosts between which runs move packets. */
function pathsOf(hosts: readonly HostNode[], traffic: readonly RunTraffic[]): Path[] {
  const paths: Path[] = [];
  for (const run of traffic) {
    const used = hosts.filter(({ name }) => run.ends.some((end) => end.host === name));
    const [from] = used;
    if (!from) continue;
    const others = used.length === 1 ? [from] : used.slice(1);
    const ends = others.length > 1 ? null : run.ends.filter(({ host }) => host === from.name);
    for (const to of others) {
      const path = paths.find((one) => one.from === from && one.to === to);
      if (!path) paths.push({ from, to, runs: [run], ends });
      else {
        path.runs.push(run);
        path.ends = path.ends && ends && [...path.ends, ...ends];
      }
    }
  }
  return paths;
}

/** Assigns the runs of a path to its link, and creates the link if there is none yet. */
function occupy(links: HostLink[], { from, to, runs, ends }: Path): void {
  const known = links.findIndex((link) => link.from === from && link.to === to);
  const at = known < 0 ? links.push(idle(from, to)) - 1 : known;
  const own = runs.flatMap((run) => run.ends.filter(({ host }) => host === from.name));
  const carried = LINKS.filter((link) => own.some((end) => end.links.includes(link)));
  links[at] = {
    ...links[at]!,
    provider: own[0]?.providerClass ?? null,
    media: carried.length > 0 ? carried : links[at]!.media,
    runs: runs.map(({ run, runId }) => ({ run, runId })),
    rates: ends && ratesOf(ends),
  };
}
