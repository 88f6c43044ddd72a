// An agent and a second one that it can pair with, for a file of tests.
import { networkInterfaces } from 'node:os';
import {
  newHome,
  removeHome,
  startAgent,
  startPairable,
  type PairableAgent,
  type RunningAgent,
} from './agent.js';
import { test } from './page-test.js';

/** An address of this machine other than loopback, if there is one, so that two agents speak TLS. */
export const outsideAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';

export interface TwoAgents {
  readonly agent: RunningAgent;
  readonly other: PairableAgent;
}

/**
 * Starts both agents before the tests of the file and ends them after. `devices`: addresses of their embedded devices.
 */
export function twoAgents(listen: string, devices: readonly [string, string]): TwoAgents {
  const two = {} as { -readonly [K in keyof TwoAgents]: TwoAgents[K] };
  const homes: string[] = [];
  test.beforeAll(async () => {
    const [home, away] = [newHome(), newHome()];
    homes.push(home, away);
    two.agent = await startAgent(home, 0, { UROCE_ADDR: devices[0] });
    two.other = await startPairable(away, listen, { UROCE_ADDR: devices[1] });
  });
  test.afterAll(async () => {
    await two.agent.stop();
    await two.other.kill();
    homes.forEach(removeHome);
  });
  return two;
}
