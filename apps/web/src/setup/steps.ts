/** State of each step in setting up two machines, from the reports of the agents. Pure functions. */
import type { DeviceInfo, ErrorInfo, PathCheck, Peer, RunRow, SetUp, SetUpFinding } from '@verbslab/protocol';

export interface Reached {
  state: 'done' | 'waiting' | 'failed';
  /** Observed state, as text. */
  text: string;
  /** Findings of the doctor. */
  findings?: SetUpFinding[];
  error?: ErrorInfo;
}

const done = (text: string): Reached => ({ state: 'done', text });
const waiting = (text: string, more: Partial<Reached> = {}): Reached => ({ state: 'waiting', text, ...more });
const failed = (text: string, more: Partial<Reached> = {}): Reached => ({ state: 'failed', text, ...more });

/** Checks of the doctor on devices that other machines cannot use. */
const ABOUT_DEVICES = ['kernel', 'uverbs', 'port', 'gid', 'netns', 'address', 'port-4791'];

const isLoopback = (address: string): boolean => address.startsWith('127.') || address === '::1';

/** Address of a RoCEv2 GID that others can reach, on an active port. */
function reachable({ ports, problem }: DeviceInfo): string | null {
  if (problem) return null;
  const gids = ports.filter(({ state }) => state === 'ACTIVE').flatMap((port) => port.gids);
  const found = gids.filter(({ type, address }) => type === 'RoCEv2' && !isLoopback(address));
  return (found.find(({ address }) => !address.startsWith('fe80:')) ?? found[0])?.address ?? null;
}

/**
 * State of the step that gives a machine a device that others can reach. `findings`: of the doctor on that machine, if
 * it was asked.
 */
export function deviceReached(
  devices: readonly DeviceInfo[],
  findings: readonly SetUpFinding[] = [],
): Reached {
  const usable = devices.map((device) => ({ device, address: reachable(device) }));
  const found =
    usable.find(({ device, address }) => device.provider === 'system' && address !== null) ??
    usable.find(({ address }) => address !== null);
  if (found) return done(`${found.device.name} is up, with address ${found.address}.`);
  const about = findings.filter(({ check, level }) => level !== 'ok' && ABOUT_DEVICES.includes(check));
  const broken = devices.find(({ provider }) => provider === 'system');
  if (broken) {
    const why = broken.problem?.message ?? 'It has no port that is ACTIVE with a RoCEv2 GID.';
    return failed(`${broken.name} cannot be used by another machine. ${why}`, { findings: about });
  }
  const local = devices.find(({ ports }) =>
    ports.some(({ gids }) => gids.some((gid) => isLoopback(gid.address))),
  );
  return waiting(
    local
      ? `Only ${local.name} on loopback so far, which other machines cannot reach.`
      : 'No RDMA device so far.',
    { findings: about },
  );
}

export function peerReached(peers: readonly Peer[]): Reached {
  const up = peers.filter(({ state }) => state === 'up');
  if (up.length > 0) return done(`Paired with ${up.map(({ name }) => name).join(', ')}.`);
  const down = peers.find(({ error }) => error !== null);
  if (down?.error) return failed(`${down.name} does not answer.`, { error: down.error });
  return waiting(peers.length === 0 ? 'No other agent is paired yet.' : `Connecting to ${peers[0]!.name}.`);
}

export function pathReached(check: PathCheck | null): Reached {
  if (!check) return waiting('Not checked yet.');
  return check.ok
    ? done(`${check.from} and ${check.to} can reach each other over RDMA.`)
    : failed(`${check.from} and ${check.to} cannot reach each other over RDMA.`);
}

/** State of the step with a successful run whose endpoints are on two machines, one of which is in `of`. */
export function runReached(runs: readonly RunRow[], of: readonly string[]): Reached {
  const across = runs.find(({ state, result }) => {
    const hosts = new Set((result?.endpoints ?? []).map(({ host }) => host));
    return state === 'done' && hosts.size > 1 && of.some((host) => hosts.has(host));
  });
  return across ? done(`Run ${across.number} ran across machines.`) : waiting('No run across machines yet.');
}

export function packagesReached({ vms }: SetUp): Reached {
  return vms.missing === null
    ? done('All packages are installed.')
    : failed(vms.missing.message, { error: vms.missing });
}

export function machinesReached({ vms: { machines } }: SetUp): Reached {
  if (machines.length === 0) return waiting('No machine runs.');
  const crashed = machines.filter(({ condition }) => condition === 'crashed');
  if (crashed.length > 0)
    return failed(
      `${crashed.map(({ name }) => name).join(', ')} crashed. Start it again: the other machines go on.`,
    );
  const words = machines.map(({ name, condition, rdma }) =>
    condition === 'ready' ? `${name}: rxe0 is ${rdma ?? 'not reported'}` : `${name}: starting`,
  );
  const ready = machines.every(({ condition, rdma }) => condition === 'ready' && rdma === 'ACTIVE');
  return { state: ready && machines.length > 1 ? 'done' : 'waiting', text: `${words.join('; ')}.` };
}

/**
 * True unless the doctor's fix for the kernel is something other than adding an rxe device: then the kernel lacks
 * SoftRoCE.
 */
export const rxePossible = (findings: readonly SetUpFinding[]): boolean =>
  findings.every(
    ({ check, cure }) => check !== 'kernel' || !cure || cure.some((line) => /\brxe\b/.test(line)),
  );

/** Interface that the doctor proposes for SoftRoCE. */
export const netdevOf = (findings: readonly SetUpFinding[]): string =>
  findings
    .flatMap(({ cure }) => cure ?? [])
    .map((line) => /type rxe netdev (\S+)/.exec(line)?.[1])
    .find((name) => name !== undefined && name !== 'INTERFACE') ?? 'eth0';
