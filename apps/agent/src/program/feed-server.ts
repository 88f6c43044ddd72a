import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CommandFaults } from './command-faults.js';
import { FeedDecoder } from './messages.js';
import { ProcessControl } from './process-control.js';
import type { FeedOutlet } from './feed-outlet.js';
import { ProcessFeed } from './process-feed.js';

/** Time for the last data of processes to arrive after the end of the command, ms. */
const DRAIN_MS = 1_000;
/** Time for the data of processes that have ended, ms: their data is in the socket, however slowly it is read. */
const DRAIN_ENDED_MS = 15_000;
const LOOK_MS = 10;

/** The socket that processes under `verbslab exec` connect to. */
export class FeedServer {
  readonly path: string;
  readonly faults: CommandFaults;
  readonly #server: Server;
  readonly #sockets = new Map<Socket, ProcessFeed>();

  private constructor(folder: string, clock: bigint, outlet: FeedOutlet, faults: CommandFaults) {
    this.faults = faults;
    this.path = join(folder, 'feed');
    this.#server = createServer((socket) => {
      const process: ProcessFeed = new ProcessFeed(clock, outlet, (note) => control.take(note));
      const control = new ProcessControl(socket, process);
      this.#sockets.set(socket, process);
      socket.once('close', () => this.#sockets.delete(socket));
      follow(socket, process);
      socket.once('close', () => this.faults.gone(control));
      this.faults.came(control);
    });
  }

  /**
   * Opens the socket in `folder`, which only this user can read and its owner removes. Rejects if no socket can be
   * made.
   */
  static async open(
    folder: string,
    clock: bigint,
    outlet: FeedOutlet,
    faults = new CommandFaults([]),
  ): Promise<FeedServer> {
    const feed = new FeedServer(folder, clock, outlet, faults);
    await new Promise<void>((resolve, reject) => {
      feed.#server.once('error', reject);
      feed.#server.listen(feed.path, resolve);
    });
    return feed;
  }

  /** Variables for the environment of a command whose processes report here. */
  get environment(): Record<string, string> {
    return { UROCE_FEED: this.path, ...(this.faults.atOnce ? { UROCE_AWAIT_FAULTS: '1' } : {}) };
  }

  /** Waits, for a bounded time, until every process has sent everything, and closes the socket. */
  async close(): Promise<void> {
    this.faults.stop();
    const begin = performance.now();
    const waited = (): number => performance.now() - begin;
    await Promise.race([this.#catchUp(), setTimeout(DRAIN_MS)]);
    while (
      this.#sockets.size > 0 &&
      (waited() < DRAIN_MS || (this.#someEnded() && waited() < DRAIN_ENDED_MS))
    ) {
      await setTimeout(LOOK_MS);
    }
    this.#server.close();
    // The remaining connections belong to processes that outlive the command.
    await Promise.all(
      [...this.#sockets.keys()].map(async (socket) => {
        const closed = once(socket, 'close');
        socket.destroy();
        await closed;
      }),
    );
  }

  /** True if a process has ended or has not identified itself yet: it may have sent more than was read. */
  #someEnded(): boolean {
    return [...this.#sockets.values()].some(({ pid }) => pid === null || !existsSync(`/proc/${pid}`));
  }

  /**
   * Waits until all earlier connections were accepted: a process may have come and gone before. Connections are
   * accepted in order, so this one is the last.
   */
  #catchUp(): Promise<void> {
    return new Promise((resolve) => {
      const last = connect(this.path);
      last.on('error', () => undefined);
      last.once('close', () => resolve());
      last.resume();
      last.end();
    });
  }
}

function follow(socket: Socket, feed: ProcessFeed): void {
  const decoder = new FeedDecoder();
  let failed: Error | undefined;
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of decoder.push(chunk)) feed.take(message);
    } catch (error) {
      failed = error as Error;
      socket.destroy();
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => feed.end(failed));
}
