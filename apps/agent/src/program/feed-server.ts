import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CommandFaults } from './command-faults.js';
import { FeedDecoder } from './messages.js';
import { ProcessControl } from './process-control.js';
import { ProcessFeed, type FeedOutlet } from './process-feed.js';

/** Time for what processes of the command sent last to arrive, once the command has ended. */
const DRAIN_MS = 1_000;
/** The same of processes that have ended: what they sent lies in the socket, however slowly it is read. */
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

  /** `folder` is this user’s alone, and its owner removes it. Rejects when no socket can be made. */
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

  /** Waits, for a bounded time, until every process has sent everything, and closes. */
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
    // What is left belongs to processes that outlive the command.
    await Promise.all(
      [...this.#sockets.keys()].map(async (socket) => {
        const closed = once(socket, 'close');
        socket.destroy();
        await closed;
      }),
    );
  }

  /** A process that has ended, or has not identified itself yet, may have sent more than was read. */
  #someEnded(): boolean {
    return [...this.#sockets.values()].some(({ pid }) => pid === null || !existsSync(`/proc/${pid}`));
  }

  /** A process may have come and gone before its connection was taken: one that comes now is taken after it. */
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
