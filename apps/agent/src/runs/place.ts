import { randomUUID } from 'node:crypto';
import {
  AppError,
  bestDevice,
  CAPABILITY_TEXT,
  endpointNames,
  LOCAL_HOST,
  neededBy,
  SIMULATOR,
  type AgentInfo,
  type ClientMessageOf,
  type DeviceInfo,
  type EmittedEvent,
  type EndpointName,
  type LabDescription,
  type RunRecord,
} from '@verbslab/protocol';
import type { RunnableLab } from './lab.js';
import type { HostedEndpoint, SpawnEndpoint } from '../endpoint/hosted-endpoint.js';

/** The place of an endpoint of a run. */
export interface Place {
  /** `local` or the name of a paired agent. */
  host: string;
  device: DeviceInfo;
  /** The agent of the host; null if it has not introduced itself. */
  agent: AgentInfo | null;
  /** Opens endpoints on that host. */
  spawn: SpawnEndpoint;
}

/** The hosts that can run endpoints, with what placing needs from them. */
export interface Hosts {
  readonly hosts: readonly string[];
  /** Throws AppError if the host is not available. */
  devices(host: string): Promise<DeviceInfo[]> | DeviceInfo[];
  agent(host: string): AgentInfo | null;
  spawner(host: string, run: string): SpawnEndpoint;
}

/** Wraps hosts so that each is asked for its devices once, however many runs are placed on them. */
export function askedOnce(hosts: Hosts): Hosts {
  const answers = new Map<string, ReturnType<Hosts['devices']>>();
  return {
    hosts: hosts.hosts,
    devices: (host) => {
      const answer = answers.get(host) ?? hosts.devices(host);
      answers.set(host, answer);
      return answer;
    },
    agent: (host) => hosts.agent(host),
    spawner: (host, run) => hosts.spawner(host, run),
  };
}

/** `host/device`, `host`, or `device` of this agent. */
export function readPlace(text: string, hosts: readonly string[]): { host: string; device?: string } {
  const slash = text.indexOf('/');
  if (slash >= 0) {
    const device = text.slice(slash + 1);
    return { host: text.slice(0, slash), ...(device === '' ? {} : { device }) };
  }
  return hosts.includes(text) ? { host: text } : { host: LOCAL_HOST, device: text };
}

/** The places of a run's endpoints, and the device whose name the run goes by. */
interface Placed {
  places: Map<string, Place>;
  device: Pick<DeviceInfo, 'name' | 'providerClass'>;
}

/**
 * Places every endpoint, and picks the device whose name the run goes by: that of the first endpoint. Throws AppError
 * (USAGE, UNKNOWN_HOST, UNKNOWN_DEVICE, MISSING_CAPABILITY, …).
 */
async function placeEndpoints(
  lab: LabDescription,
  names: readonly EndpointName[],
  { device, endpoints = {} }: Pick<ClientMessageOf<'run.start'>, 'device' | 'endpoints'>,
  hosts: Hosts,
): Promise<Placed> {
  const known = [...new Set(names.flatMap(({ role, name }) => [role, name]))];
  const stranger = Object.keys(endpoints).find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new AppError('USAGE', {
      detail: `The lab “${lab.id}” has no endpoint “${stranger}”`,
      hint: known.length > 0 ? `Choose among: ${known.join(', ')}.` : 'It has none: it is simulated.',
    });
  if (lab.simulated) {
    if (device !== undefined)
      throw new AppError('USAGE', {
        detail: `The lab “${lab.id}” is simulated and takes no device`,
        hint: 'Leave the device out.',
      });
    return { places: new Map(), device: { name: SIMULATOR, providerClass: 'simulated' } };
  }
  // Endpoints of a run share this id, so that a host knows that they belong together.
  const run = randomUUID();
  // The hosts are asked in parallel: each may take a while to answer.
  const places = new Map(
    await Promise.all(
      names.map(async ({ name, role }): Promise<[string, Place]> => {
        const asked = endpoints[name] ?? endpoints[role] ?? `${LOCAL_HOST}/${device ?? ''}`;
        const wanted = readPlace(asked, hosts.hosts);
        const chosen = chooseDevice(await hosts.devices(wanted.host), wanted, lab);
        const { host } = wanted;
        return [name, { host, device: chosen, agent: hosts.agent(host), spawn: hosts.spawner(host, run) }];
      }),
    ),
  );
  const [first] = places.values();
  // A lab without endpoints goes by a device, too.
  return { places, device: first?.device ?? (await defaultDevice(lab, device, hosts)) };
}

/** Places a run on devices that can do what its parameters ask for. Throws AppError, also BAD_PARAM. */
export async function placeRun(
  lab: RunnableLab,
  params: unknown,
  asked: Pick<ClientMessageOf<'run.start'>, 'device' | 'endpoints'>,
  hosts: Hosts,
): Promise<Placed & { parameters: RunRecord['parameters'] }> {
  const parameters = JSON.parse(JSON.stringify(params)) as RunRecord['parameters'];
  const names = endpointNames(lab.description.roles, parameters);
  const needs = neededBy(lab.description, parameters);
  const placed = await placeEndpoints({ ...lab.description, needs }, names, asked, hosts);
  lab.checkDevices?.(
    params,
    [...placed.places.values()].map((place) => place.device),
  );
  return { parameters, ...placed };
}

const defaultDevice = async (
  lab: LabDescription,
  device: string | undefined,
  hosts: Hosts,
): Promise<DeviceInfo> =>
  chooseDevice(
    await hosts.devices(LOCAL_HOST),
    { host: LOCAL_HOST, ...(device === undefined ? {} : { device }) },
    lab,
  );

/** `uroce0`, or `vm1/rxe0` on another host. */
export const placeName = (host: string, device: string): string =>
  host === LOCAL_HOST ? device : `${host}/${device}`;

function chooseDevice(
  devices: DeviceInfo[],
  { host, device: wanted }: { host: string; device?: string },
  lab: LabDescription,
): DeviceInfo {
  const device =
    wanted === undefined ? bestDevice(devices, lab) : devices.find(({ name }) => name === wanted);
  if (!device) {
    const known = devices.map(({ name }) => placeName(host, name)).join(', ') || 'none';
    if (wanted !== undefined)
      throw new AppError('UNKNOWN_DEVICE', { device: placeName(host, wanted), known });
    throw new AppError('NO_DEVICE', { detail: 'none was found.' });
  }
  const name = placeName(host, device.name);
  if (device.problem) {
    const { message, cure } = device.problem;
    throw new AppError('DEVICE_UNUSABLE', { device: name, detail: message, hint: cure });
  }
  const missing = lab.needs.filter((capability) => !device.capabilities.includes(capability));
  if (missing.length > 0) {
    throw new AppError('MISSING_CAPABILITY', {
      lab: lab.id,
      capability: missing.map((capability) => CAPABILITY_TEXT[capability]).join(' and '),
      device: name,
    });
  }
  return device;
}

/** The event that reports an open endpoint and its place. */
export const openedEvent = (
  role: string,
  { host, device, agent }: Place,
  endpoint: HostedEndpoint,
): EmittedEvent => ({
  kind: 'endpoint',
  role,
  pid: endpoint.pid,
  device: device.name,
  providerClass: device.providerClass,
  ...(agent === null ? {} : { cpus: agent.cpus }),
  ...(host === LOCAL_HOST ? {} : { host, clockErrorNs: endpoint.clockErrorNs ?? 0 }),
  ...(endpoint.netem ? { netem: true } : {}),
});

/** All distinct places of a run: `uroce0`, or `uroce0, vm1/rxe0`. */
export function placeNames(places: ReadonlyMap<string, Place>, device: Pick<DeviceInfo, 'name'>): string {
  const names = new Set([...places.values()].map((place) => placeName(place.host, place.device.name)));
  return [...names].join(', ') || device.name;
}
