import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { FeedDecoder } from './messages.js';
import { ProcessFeed, type FeedOutlet } from './process-feed.js';

/** Time for what processes of the command sent last to arrive, once the command has ended. */
const DRAIN_MS = 1_000;

/** The socket that processes under `verbslab exec` connect to. */
export class FeedServer {
  readonly path: string;
  readonly #server: Server;
  readonly #sockets = new Map<Socket, Promise<void>>();

  private constructor(folder: string, clock: bigint, outlet: FeedOutlet) {
    this.path = join(folder, 'feed');
    this.#server = createServer((socket) => {
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      this.#sockets.set(socket, closed);
      void closed.then(() => this.#sockets.delete(socket));
      follow(socket, new ProcessFeed(clock, outlet));
    });
  }

  /** `folder` is this user’s alone, and its owner removes it. Rejects when no socket can be made. */
  static async open(folder: string, clock: bigint, outlet: FeedOutlet): Promise<FeedServer> {
    const feed = new FeedServer(folder, clock, outlet);
    await new Promise<void>((resolve, reject) => {
      feed.#server.once('error', reject);
      feed.#server.listen(feed.path, resolve);
    });
    return feed;
  }

  /** Waits, for a bounded time, until every process has sent everything, and closes. */
  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)));
    const drained = this.#catchUp().then(() => Promise.all(this.#sockets.values()));
    await Promise.race([drained, patience]);
    clearTimeout(timer);
    this.#server.close();
    // What is left belongs to processes that outlive the command.
    for (const socket of this.#sockets.keys()) socket.destroy();
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
