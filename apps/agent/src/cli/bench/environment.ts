/** The environment of a comparison: the machines and devices of both ends, and the versions. */
import {
  LOCAL_HOST,
  type AgentInfo,
  type DeviceInfo,
  type ProviderClass,
  type RunResult,
} from '@verbslab/protocol';
import type { Connected } from '../sweep-run.js';

export interface EnvironmentEnd {
  role: string;
  host: string;
  cpu: string;
  cpus: number;
  platform: string;
  kernel: string;
  verbslab: string;
  device: string;
  providerClass: ProviderClass;
  firmware: string | null;
  /** Active MTU of the device's first active port, B. */
  mtu: number | null;
}

interface Host {
  agent: AgentInfo | null;
  devices: readonly DeviceInfo[];
}

/** The agents that can host endpoints, by name; requested before anything runs. */
export async function hostsOf({ client, welcome }: Connected): Promise<Map<string, Host>> {
  const { peers } = await client.request('peers.list', {});
  return new Map<string, Host>([
    [LOCAL_HOST, welcome],
    ...peers.map((peer): [string, Host] => [peer.name, peer]),
  ]);
}

/** The ends of a run; empty if the run opened no endpoint. */
export function endsOf({ endpoints = [] }: RunResult, hosts: ReadonlyMap<string, Host>): EnvironmentEnd[] {
  return endpoints.flatMap(({ role, host, device, providerClass }) => {
    const { agent, devices } = hosts.get(host) ?? { agent: null, devices: [] };
    if (!agent) return [];
    const info = devices.find(({ name }) => name === device);
    return [
      {
        role,
        host: agent.host,
        cpu: agent.cpuModel,
        cpus: agent.cpus,
        platform: agent.platform,
        kernel: agent.kernel,
        verbslab: agent.version,
        device,
        providerClass,
        firmware: info?.fwVersion ?? null,
        mtu: info?.ports.find(({ state }) => state === 'ACTIVE')?.activeMtu ?? null,
      },
    ];
  });
}
