import { AppError, parseJson, toErrorInfo, type AgentMessage } from '@verbslab/protocol';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Logger } from '../base/log.js';
import type { Client, Role, Subsystem } from '../base/subsystem.js';
import type { Counters } from './metrics.js';
import type { Router } from './router.js';

/** Bytes at which a client that sends requests and never reads the answers is cut off. */
const MAX_BUFFERED = 64 * 1024 * 1024;

export interface ConnectionOptions {
  socket: WebSocket;
  role: Role;
  router: Router;
  subsystems: readonly Subsystem[];
  counters: Counters;
  logger: Logger;
}

const zId = z.object({ id: z.int().min(0).max(0xffff_ffff) });

/** A client's connection: reads its messages, has each answered by its subsystem, and sends changes to the client. */
export class Connection implements Client {
  readonly #options: ConnectionOptions;
  readonly #ends: (() => void)[] = [];
  says: Client['says'] = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { socket } = options;
    socket.on('message', (data, isBinary) => void this.#onMessage(data as Buffer, isBinary));
    socket.on('close', () => {
      for (const end of this.#ends.splice(0)) end();
    });
    // The reason (too large a frame, broken framing) has been sent to the client as close code.
    socket.on('error', (error) => options.logger.debug({ err: error }, 'connection broken'));
  }

  get role(): Role {
    return this.#options.role;
  }

  get waiting(): number {
    return this.#options.socket.bufferedAmount;
  }

  onClose(closed: () => void): void {
    this.#ends.push(closed);
  }

  greet(says: 'web' | 'cli' | 'peer'): void {
    if (this.says !== null) throw new AppError('HELLO_TWICE');
    this.says = says;
    if (this.role === 'peer') return;
    for (const one of this.#options.subsystems) {
      const silence = one.changes?.((message) => this.send(message));
      if (silence) this.onClose(silence);
    }
  }

  send(message: AgentMessage): void {
    this.write(JSON.stringify(message));
  }

  write(data: string | Buffer, written?: () => void): void {
    const { socket, counters } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BUFFERED) {
      socket.terminate();
      return;
    }
    counters.sentBytes += data.length;
    if (typeof data === 'string') counters.sentMessages++;
    else counters.sentFrames++;
    socket.send(data, written);
  }

  async #onMessage(data: Buffer, isBinary: boolean): Promise<void> {
    const { socket, counters, logger } = this.#options;
    // A burst may be read on after the end of its connection, or while the agent stops.
    if (socket.readyState !== socket.OPEN) return;
    counters.receivedMessages++;
    const received = process.hrtime.bigint();
    let re: number | undefined;
    try {
      if (isBinary) return this.#onFrame(data);
      const raw = parseJson(data.toString('utf8'));
      re = zId.safeParse(raw).data?.id;
      await this.#answer(raw, re, received);
    } catch (error) {
      const info = toErrorInfo(error);
      counters.errors++;
      if (info.code === 'INTERNAL') logger.error({ err: error }, 'message failed');
      this.send({ type: 'error', ...(re === undefined ? {} : { re }), ...info });
    }
  }

  #onFrame(frame: Buffer): void {
    this.#needGreeting('a binary frame');
    if (this.role === 'peer') throw new AppError('NOT_FOR_PEERS', { type: 'a binary frame' });
    for (const one of this.#options.subsystems) one.frame?.(this, frame);
  }

  async #answer(raw: unknown, re: number | undefined, received: bigint): Promise<void> {
    const { answer, message } = this.#options.router.route(raw, this.role);
    const { asked } = answer;
    if (asked.type !== 'hello') this.#needGreeting(`“${asked.type}”`);
    const body = await answer.handle(message, this, received);
    if (asked.kind === 'request') this.write(JSON.stringify({ type: asked.reply.type, re, ...body }));
  }

  #needGreeting(type: string): void {
    if (this.says === null) throw new AppError('HELLO_FIRST', { type });
  }
}
