// The test function of files that need one agent: each file has its own, in a new home.
import { newHome, removeHome, startAgent, type RunningAgent } from './agent.js';
import { test as base } from './page-test.js';

/** The agent of the current test file. */
class AgentOfFile implements RunningAgent {
  #file = '';
  #running: RunningAgent | null = null;

  get #current(): RunningAgent {
    if (!this.#running)
      throw new Error('the agent runs in tests, and in hooks that take the fixture `agent`');
    return this.#running;
  }

  get origin(): string {
    return this.#current.origin;
  }
  get session(): RunningAgent['session'] {
    return this.#current.session;
  }
  get home(): string {
    return this.#current.home;
  }
  get process(): RunningAgent['process'] {
    return this.#current.process;
  }
  link(): Promise<string> {
    return this.#current.link();
  }
  redirect(): Promise<string> {
    return this.#current.redirect();
  }
  stop(): Promise<void> {
    return this.#current.stop();
  }
  kill(): Promise<void> {
    return this.#current.kill();
  }

  /** Starts the agent again after its end, with its home and its port. */
  async startAgain(): Promise<void> {
    this.#running = await startAgent(this.home, Number(new URL(this.origin).port));
  }

  /** Starts the agent of `file`, unless it was started last. */
  async turnTo(file: string): Promise<void> {
    if (file === this.#file) return;
    await this.end();
    this.#running = await startAgent(newHome());
    this.#file = file;
  }

  /** Ends the agent and removes its home. */
  async end(): Promise<void> {
    if (!this.#running) return;
    const { home } = this;
    await this.stop();
    this.#running = null;
    this.#file = '';
    removeHome(home);
  }
}

/** The agent of the running test's file, for functions of that file. */
export const agent = new AgentOfFile();

/** Test function with a running agent. A hook for all tests of a file takes the fixture `agent` to have it. */
export const test = base.extend<{ agent: AgentOfFile }, { agents: AgentOfFile }>({
  agents: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      await use(agent);
      await agent.end();
    },
    { scope: 'worker' },
  ],
  agent: [
    async ({ agents }, use, { file }) => {
      await agents.turnTo(file);
      await use(agents);
    },
    { auto: true },
  ],
});
