/** A program that speaks like a paired agent, which tests make send messages that no agent should. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { PROTOCOL_VERSION } from '@verbslab/protocol';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { openHome } from '../../src/config/home.js';
import { encodeInvitation } from '../../src/config/join-string.js';
import { loadIdentity } from '../../src/config/identity.js';
import { newHome } from './agent.js';
import { device } from './device.js';

export type Said = { type: string; id: number } & Record<string, unknown>;

export interface FalsePeer {
  join: string;
  /** Messages that the peer received, on all connections. */
  heard: Said[];
  /** Connections that ask for an upgrade are left without an answer. */
  deaf: boolean;
  /** The peer's end of the latest connection. */
  socket: WebSocket | null;
  /** Sends a message on the latest connection. */
  say(message: object): void;
}

/** The number of every endpoint that the peer “opens”. */
export const ENDPOINT = 0x8000_0001;

/** The end of that endpoint's process, but for its code. */
export const EXITED = { type: 'endpoint.exited', endpoint: ENDPOINT, signal: null };

const AGENT = {
  id: 'false',
  version: '9.9.9',
  host: 'false',
  platform: 'p',
  cpus: 1,
  cpuModel: 'c',
  kernel: 'k',
  memlockLimit: null,
};

/** Starts a false peer. `reply` returns the answer to a message; undefined for the usual answer, null for none. */
export async function falsePeer(
  reply: (message: Said, socket: WebSocket) => object | null | undefined = () => undefined,
): Promise<FalsePeer> {
  const identity = await loadIdentity(openHome(newHome()));
  const server = createServer({ key: identity.key, cert: identity.cert });
  const sockets = new WebSocketServer({ noServer: true });
  const peer: FalsePeer = {
    ...{ join: '', heard: [], deaf: false, socket: null },
    say: (message) => peer.socket!.send(JSON.stringify(message)),
  };
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => undefined);
    if (peer.deaf) return;
    sockets.handleUpgrade(request, stream, head, (socket) => {
      peer.socket = socket;
      socket.on('error', () => undefined);
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as Said;
        peer.heard.push(message);
        const own = reply(message, socket);
        const answer = own === undefined ? usualAnswer(message) : own;
        if (answer) socket.send(JSON.stringify({ re: message.id, ...answer }));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const token = Buffer.alloc(24, 7).toString('base64url');
  peer.join = encodeInvitation({ host: '127.0.0.1', port, token, fingerprint: identity.fingerprint });
  return peer;
}

/** The usual answer of an agent; null for none. */
export function usualAnswer({ type }: Said): object | null {
  switch (type) {
    case 'hello':
      return {
        type: 'welcome',
        protocol: PROTOCOL_VERSION,
        agent: AGENT,
        devices: [device],
        labs: [],
        runs: [],
      };
    case 'clock': {
      const now = process.hrtime.bigint().toString();
      return { type: 'clocked', received: now, sent: now };
    }
    case 'endpoint.open':
      return { type: 'endpoint.opened', endpoint: ENDPOINT, pid: 4711, device };
    case 'endpoint.close':
      return { type: 'endpoint.closed' };
    default:
      return null;
  }
}
