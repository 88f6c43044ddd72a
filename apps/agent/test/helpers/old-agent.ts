/**
 * An agent of an older version in front of a real one: TLS with the same certificate, and answers of its own to some
 * messages.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openHome } from '../../src/config/home.js';
import { loadIdentity } from '../../src/config/identity.js';

type Said = { type: string; id: number } & Record<string, unknown>;

/**
 * Makes commands of this home reach this agent in place of the running one. `changed` returns another answer to a
 * message of the client (`answer`), or another message of the agent (`said`); undefined leaves them as they are.
 */
export async function oldAgent(
  path: string,
  {
    answer,
    said,
  }: { answer?: (message: Said) => object | undefined; said?: (message: Said) => object | undefined },
): Promise<void> {
  const home = openHome(path);
  const { key, cert } = await loadIdentity(home);
  const state = JSON.parse(readFileSync(home.state, 'utf8')) as { host: string; port: number };
  const { host, port } = state;
  const server = createServer({ key, cert }, (asked, reply) => {
    request(
      {
        host,
        port,
        path: asked.url,
        headers: { ...asked.headers, host: `${host}:${port}` },
        rejectUnauthorized: false,
      },
      (got) => {
        reply.writeHead(got.statusCode!, got.headers);
        got.pipe(reply);
      },
    ).end();
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (asked, stream, head) => {
    sockets.handleUpgrade(asked, stream, head, (near) => {
      const { authorization = '' } = asked.headers;
      const far = new WebSocket(`wss://${host}:${port}${asked.url}`, {
        headers: { authorization },
        rejectUnauthorized: false,
      });
      const open = once(far, 'open');
      near.on('message', (data: Buffer, binary) => {
        const message = binary ? null : (JSON.parse(data.toString()) as Said);
        const own = message && answer?.(message);
        if (own) near.send(JSON.stringify({ re: message.id, ...own }));
        else void open.then(() => far.send(data, { binary }));
      });
      far.on('message', (data: Buffer, binary) => {
        const message = binary ? null : (JSON.parse(data.toString()) as Said);
        const own = message && said?.(message);
        near.send(own ? JSON.stringify(own) : data, { binary });
      });
      near.on('close', () => far.close());
      far.on('close', () => near.close());
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  writeFileSync(home.state, JSON.stringify({ ...state, port: (server.address() as AddressInfo).port }));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
}
