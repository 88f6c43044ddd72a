import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Identity } from '../config/identity.js';

/** The type of a TLS handshake record. No HTTP request begins with this byte. */
const TLS_HANDSHAKE = 0x16;
const HANDSHAKE_MS = 5_000;
/** Most connections without a request at a time. Browsers open a few ahead of need. */
const UNUSED = 128;

export interface TlsOrHttpOptions {
  identity: Pick<Identity, 'key' | 'cert'>;
  /** True if HTTP without TLS is served, too: browsers do not know the certificate, so on loopback they use HTTP. */
  plain: boolean;
  /** Longest time for the first bytes on a connection, ms. */
  patienceMs: number;
}

/** Key of a client, the same for a connection and for the TLS inside it. */
const clientOf = ({ remoteAddress, remotePort }: Socket): string =>
  `${remoteAddress ?? ''} ${remotePort ?? ''}`;

/**
 * Makes an HTTP server accept TLS on its port, too; the first byte shows the protocol of a client. Programs use TLS
 * even on loopback: they pin the certificate before they send the token. When too many connections have sent no
 * request, the oldest are closed, so that held connections lock no other client out.
 */
export class TlsOrHttp {
  /** Connections without a request yet, by client: the oldest first. */
  readonly #unused = new Map<string, Socket>();

  constructor(server: Server, { identity, plain, patienceMs }: TlsOrHttpOptions) {
    const serve = server.listeners('connection')[0] as (this: Server, socket: Socket) => void;
    server.removeListener('connection', serve);
    const tls = createTlsServer({
      key: identity.key,
      cert: identity.cert,
      minVersion: 'TLSv1.3',
      handshakeTimeout: HANDSHAKE_MS,
      ALPNProtocols: ['http/1.1'],
    });
    tls.on('secureConnection', (socket) => serve.call(server, socket));
    tls.on('tlsClientError', (_error, socket) => socket.destroy());
    for (const event of ['request', 'upgrade'])
      server.prependListener(event, ({ socket }: IncomingMessage) => this.#unused.delete(clientOf(socket)));
    // At the limit, connections that wait for another request make room.
    server.on('drop', () => server.closeIdleConnections());
    server.on('connection', (socket: Socket) => {
      this.#add(socket);
      const end = (): void => void socket.destroy();
      const timer = setTimeout(end, patienceMs);
      socket.once('close', () => clearTimeout(timer));
      socket.once('error', end);
      socket.once('end', end);
      socket.once('data', (first: Buffer) => {
        clearTimeout(timer);
        socket.off('error', end).off('end', end);
        socket.pause();
        socket.unshift(first);
        if (first[0] === TLS_HANDSHAKE) {
          // A client that leaves during the handshake is gone, as in a TLS server.
          socket.allowHalfOpen = false;
          tls.emit('connection', socket);
        } else if (plain) {
          serve.call(server, socket);
          socket.resume();
        } else {
          socket.destroy();
        }
      });
    });
  }

  #add(socket: Socket): void {
    const client = clientOf(socket);
    this.#unused.set(client, socket);
    socket.once('close', () => {
      if (this.#unused.get(client) === socket) this.#unused.delete(client);
    });
    const [oldest] = this.#unused;
    if (!oldest || this.#unused.size <= UNUSED) return;
    // The entry goes at once: the next connection may come before this one has closed.
    this.#unused.delete(oldest[0]);
    oldest[1].destroy();
  }

  /** Ends the connections on which nothing was received. */
  close(): void {
    for (const socket of this.#unused.values()) if (socket.bytesRead === 0) socket.destroy();
  }
}
