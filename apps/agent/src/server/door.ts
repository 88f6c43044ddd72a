import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Identity } from '../config/identity.js';

/** The type of a TLS handshake record. No HTTP request begins with this byte. */
const TLS_HANDSHAKE = 0x16;
const HANDSHAKE_MS = 5_000;

export interface DoorOptions {
  identity: Pick<Identity, 'key' | 'cert'>;
  /** Whether HTTP in the clear is served too: browsers do not know the certificate, so on loopback they use it. */
  plain: boolean;
  /** How long a connection may stay silent, ms. */
  patienceMs: number;
}

/**
 * Makes an HTTP server take TLS on the port that it listens on; the first byte shows which of the two a client speaks.
 * Programs use TLS even on loopback: they pin the certificate before they send the token.
 */
export class Door {
  readonly #silent = new Set<Socket>();

  constructor(server: Server, { identity, plain, patienceMs }: DoorOptions) {
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
    server.on('connection', (socket: Socket) => {
      const end = (): void => void socket.destroy();
      const timer = setTimeout(end, patienceMs);
      this.#silent.add(socket);
      socket.once('close', () => {
        clearTimeout(timer);
        this.#silent.delete(socket);
      });
      socket.once('error', end);
      socket.once('end', end);
      socket.once('data', (first: Buffer) => {
        clearTimeout(timer);
        this.#silent.delete(socket);
        socket.off('error', end).off('end', end);
        socket.pause();
        socket.unshift(first);
        if (first[0] === TLS_HANDSHAKE) {
          // As in a TLS server: a client that leaves during the handshake is gone.
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

  /** Ends the connections on which nothing has been said. */
  close(): void {
    for (const socket of this.#silent) socket.destroy();
  }
}
