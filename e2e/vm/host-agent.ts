/** An agent of the host with both machines paired, as `vms up` leaves it. */
import { afterAll, beforeAll } from 'vitest';
import { AgentClient, type ClientEvents } from '../../apps/agent/src/client/client.js';
import { addressOf } from '../../apps/agent/src/client/find.js';
import { homeAt } from '../../apps/agent/src/config/home.js';
import { readState } from '../../apps/agent/src/config/instance.js';
import { encodeInvitation } from '../../apps/agent/src/config/join-string.js';
import type { Vm } from '../../apps/agent/src/vms/state.js';
import { newHome, removeHome, startAgent, type RunningAgent } from '../lib/agent.js';
import type { End } from './guest.js';

/** Address of the embedded device of the host's agent. No lab uses it, and it must not be in the way of others. */
const ADDRESS = '127.0.47.93';

export interface Ends {
  server: End;
  client: End;
}

export async function connectTo({ home }: RunningAgent, events: ClientEvents = {}): Promise<AgentClient> {
  const at = homeAt(home);
  return (await AgentClient.connect(addressOf(readState(at)!, at), events)).client;
}

async function pairWith(agent: RunningAgent, vm: Vm): Promise<void> {
  const client = await connectTo(agent);
  const { address: host, port, token, fingerprint } = vm.agent;
  await client.request('peers.add', {
    join: encodeInvitation({ host, port, token, fingerprint }),
    name: vm.name,
  });
  await client.close();
}

/** Starts an agent for the tests of the calling group. */
export function hostAgent(ends: () => Ends): () => RunningAgent {
  const home = newHome();
  let agent: RunningAgent;
  beforeAll(async () => {
    agent = await startAgent(home, 0, { UROCE_ADDR: ADDRESS });
    for (const { vm } of Object.values(ends()) as End[]) await pairWith(agent, vm);
  }, 60_000);
  afterAll(async () => {
    await agent.stop();
    removeHome(home);
  }, 30_000);
  return () => agent;
}
