import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  ANSWER_MS,
  errorEntry,
  MAX_MESSAGE_BYTES,
  PING_INTERVAL_MS,
  AppError,
  toErrorInfo,
} from '@verbslab/protocol';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Role } from '../base/subsystem.js';
import { Connection, type ConnectionOptions } from './connection.js';
import { requestUrl } from './http.js';
import { keepAlive } from './keep-alive.js';
import type { Security } from './security.js';

const MAX_CONNECTIONS = 64;
const STATUS_TEXT: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
};

export interface WebSocketOptions extends Omit<ConnectionOptions, 'socket' | 'role'> {
  security: Security;
  pingIntervalMs?: number | undefined;
  pingTimeoutMs?: number | undefined;
}

/** The WebSocket at /ws: checks who upgrades, keeps connections alive, and gives each to a Connection. */
export class WebSocketSide {
  readonly #options: WebSocketOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
    // A burst of messages is taken one in each round of the event loop, so that it does not hold up other clients.
    allowSynchronousEvents: false,
  });
  refused = 0;

  constructor(server: Server, options: WebSocketOptions) {
    this.#options = options;
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  get connections(): number {
    return this.#server.clients.size;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    let role: Role;
    try {
      const { pathname } = requestUrl(request);
      this.#options.security.checkAddress(request, true);
      if (pathname !== '/ws') throw new AppError('NOT_FOUND', { path: pathname });
      role = this.#options.security.authenticate(request);
      if (this.connections >= MAX_CONNECTIONS) {
        const value = this.connections + 1;
        throw new AppError('LIMIT', { what: 'Too many connections', value, limit: MAX_CONNECTIONS });
      }
    } catch (error) {
      this.refused++;
      const info = toErrorInfo(error);
      const status = errorEntry(info.code)?.http ?? 500;
      const body = JSON.stringify({ error: info });
      socket.end(
        `HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? 'Refused'}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (client) => this.#accept(client, request.socket, role));
  }

  #accept(socket: WebSocket, stream: Socket, role: Role): void {
    const { pingIntervalMs: intervalMs = PING_INTERVAL_MS, pingTimeoutMs: answerMs = ANSWER_MS } =
      this.#options;
    keepAlive(socket, { stream, intervalMs, answerMs });
    new Connection({ ...this.#options, socket, role });
  }

  /** Closes the connections of all clients (1001). */
  close(): void {
    for (const client of this.#server.clients) client.close(1001, 'the agent stops');
    const clients = [...this.#server.clients];
    setTimeout(() => clients.forEach((client) => client.terminate()), 500).unref();
    this.#server.close();
  }
}
