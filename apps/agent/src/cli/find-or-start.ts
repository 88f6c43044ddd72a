import { AppError } from '@verbslab/protocol';
import { LABS } from '@verbslab/labs';
import { startAgent, type Agent } from '../agent.js';
import { homeAt, homePath, openHome, type Home } from '../config/home.js';
import { findRunning, type InstanceState } from '../config/instance.js';
import { spawnEndpoint } from '../endpoint/index.js';
import type { Logger } from '../base/log.js';
import type { AgentAddress } from '../client/client.js';
import { addressOf } from '../client/find.js';

export interface Found {
  address: AgentAddress;
  /** Ends the agent when it was started for the caller; nothing for one that was running. */
  release(): Promise<void>;
}

/** The agent that runs for this user, or one of our own on a free port for as long as it is needed. */
export async function findOrStart(logger: Logger): Promise<Found> {
  const home = homeAt(homePath());
  const state = await findRunning(home);
  if (state) {
    return running(state, home);
  }
  openHome(home.path);
  let agent: Agent;
  try {
    agent = await startAgent({ port: 0, labs: LABS, spawn: spawnEndpoint, logger });
  } catch (error) {
    // Another agent holds the lock but does not answer, or was just starting: look once more.
    if (!(error instanceof AppError && error.code === 'AGENT_RUNNING')) throw error;
    const other = await findRunning(home, 5_000);
    if (!other) {
      throw new AppError('AGENT_UNREACHABLE', {
        url: home.path,
        detail: 'it holds the data directory but is not reachable',
      });
    }
    return running(other, home);
  }
  return { address: agent.address, release: () => agent.close() };
}

const running = (state: InstanceState, home: Home): Found => ({
  address: addressOf(state, home),
  release: () => Promise.resolve(),
});
