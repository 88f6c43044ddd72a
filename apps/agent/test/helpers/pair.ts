/** Two real agents with real devices: one in this process, one in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { createInterface } from 'node:readline';
import { LABS } from '@verbslab/labs';
import { onTestFinished } from 'vitest';
import type { Agent } from '../../src/agent.js';
import { DeviceList } from '../../src/devices/list.js';
import { spawnEndpoint } from '../../src/endpoint/index.js';
import { newHome, Recorder, testAgent } from './agent.js';
import { helperProgram } from './programs.js';

/** Address of this process's device; each agent’s device has its own. */
export const OWN_ADDRESS = '127.0.0.74';
export const PEER_ADDRESS = '127.0.0.75';

const program = helperProgram('peer-agent');

/** An address of this machine other than loopback, so that the agents use TLS; any address if there is none. */
export const OUTSIDE =
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '0.0.0.0';

export interface OtherAgent {
  child: ChildProcess;
  join: string;
  home: string;
  /** Kills the agent (SIGKILL), and waits for its end. */
  kill(): Promise<void>;
}

export async function otherAgent(
  host = OUTSIDE,
  env: Record<string, string> = {},
  home = newHome(),
): Promise<OtherAgent> {
  const child = spawn(process.execPath, [program, host], {
    env: { ...process.env, UROCE_ADDR: PEER_ADDRESS, VERBSLAB_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(kill);
  const [join] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, join, home, kill };
}

/** Starts an agent in this process, with real endpoints and the labs of the product, and a client of it. */
export async function ownAgent(home = newHome()): Promise<{ agent: Agent; recorder: Recorder }> {
  const { agent } = await testAgent({ home, labs: LABS, spawn: spawnEndpoint, devices: new DeviceList() });
  return { agent, recorder: await Recorder.connect(agent) };
}
