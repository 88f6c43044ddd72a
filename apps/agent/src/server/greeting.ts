import { PROTOCOL_VERSION, rowOf } from '@verbslab/protocol';
import { answers, type Subsystem } from '../base/subsystem.js';
import type { DeviceList } from '../devices/list.js';
import type { AgentInfo } from '../devices/machine.js';
import type { RunManager } from '../runs/manager.js';
import { checkProtocol } from './router.js';
import type { Sessions } from './sessions.js';

interface GreetingOptions {
  agent: AgentInfo;
  devices: DeviceList;
  manager: RunManager;
  sessions: () => Sessions;
}

/** Welcomes clients, signs browsers in, and says that the agent is there. */
export const greeting = ({ agent, devices, manager, sessions }: GreetingOptions): Subsystem => ({
  messages: answers({
    hello: async ({ protocol, client: says }, client) => {
      checkProtocol(protocol);
      client.greet(says);
      const isPeer = client.role === 'peer';
      return {
        protocol: PROTOCOL_VERSION,
        agent,
        devices: await devices.get(),
        labs: isPeer ? [] : manager.labs,
        runs: isPeer ? [] : manager.active.map(rowOf),
        ...(client.role === 'page' ? { resume: sessions().newResume() } : {}),
      };
    },
    'sign-in.code': () => ({ code: sessions().newCode() }),
    ping: () => ({}),
    clock: (_message, _client, received) => ({
      received: received.toString(),
      sent: process.hrtime.bigint().toString(),
    }),
  }),
});
