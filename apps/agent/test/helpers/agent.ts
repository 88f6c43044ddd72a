import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentMessage, RunEvent } from '@verbslab/protocol';
import { onTestFinished } from 'vitest';
import { startAgent, type Agent, type AgentOptions } from '../../src/agent.js';
import { AgentClient, type AgentAddress } from '../../src/client/client.js';
import { DeviceList } from '../../src/devices/list.js';
import { createLogger } from '../../src/base/log.js';
import { decodeInvitation } from '../../src/config/join-string.js';
import { device } from './device.js';
import { puppets, type Puppet } from './endpoint.js';
import { LABS } from './labs.js';

export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'verbslab-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export interface TestAgent {
  agent: Agent;
  opened: Puppet[];
}

/** A real agent on a free port and in a home of its own, with the labs of this folder; ends with the test. */
export async function testAgent(options: Partial<AgentOptions> = {}): Promise<TestAgent> {
  const { spawn, opened } = puppets();
  const home = options.home ?? newHome();
  const agent = await startAgent({
    home,
    port: 0,
    labs: LABS,
    spawn,
    logger: createLogger('silent'),
    devices: new DeviceList(() => Promise.resolve({ devices: [device], problems: [] })),
    ...options,
  });
  onTestFinished(() => agent.close());
  return { agent, opened };
}

/** The agent's address for another agent, with the secret of its join string. */
export const peerAddress = ({ joinString }: Pick<Agent, 'joinString'>): AgentAddress =>
  decodeInvitation(joinString);

/** Opens a link like a browser. Returns the cookie in the form of the Cookie header. */
export async function signIn(agent: Agent): Promise<string> {
  const answer = await fetch(agent.newLink(), { redirect: 'manual' });
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

/** A client that keeps the messages that it receives and can wait for them. */
export class Recorder {
  readonly messages: AgentMessage[] = [];
  readonly events: RunEvent[] = [];
  readonly frames: Uint8Array[] = [];
  client!: AgentClient;
  closed = false;
  #waiting: { holds: () => boolean; done: () => void }[] = [];

  static async connect({ address }: { address: AgentAddress }): Promise<Recorder> {
    const recorder = new Recorder();
    const { client } = await AgentClient.connect(address, {
      onMessage: (message) => {
        recorder.messages.push(message);
        if (message.type === 'run.events') recorder.events.push(...(message.events as RunEvent[]));
        recorder.#look();
      },
      onFrame: (frame) => {
        recorder.frames.push(frame);
        recorder.#look();
      },
      onClose: () => {
        recorder.closed = true;
        recorder.#look();
      },
    });
    recorder.client = client;
    onTestFinished(() => client.close());
    return recorder;
  }

  #look(): void {
    this.#waiting = this.#waiting.filter(({ holds, done }) => {
      if (!holds()) return true;
      done();
      return false;
    });
  }

  /** Resolves as soon as `holds` returns true. It is called at every message. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ holds, done });
      this.#look();
    });
  }

  untilMessage<T extends AgentMessage['type']>(
    type: T,
    matches: (message: Extract<AgentMessage, { type: T }>) => boolean = () => true,
  ): Promise<void> {
    return this.until(() =>
      this.messages.some(
        (message) => message.type === type && matches(message as Extract<AgentMessage, { type: T }>),
      ),
    );
  }

  /** Starts a lab, follows it from its first event, and returns the id of the run. */
  async start(
    lab: string,
    params: Record<string, number> = {},
    mode: 'all' | 'step' = 'all',
  ): Promise<string> {
    const { run } = await this.client.request('run.start', { lab, params, mode });
    await this.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
    return run.id;
  }
}
