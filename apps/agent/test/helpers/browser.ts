// Requests as browsers and their attackers send them, with any header.
import { request, type IncomingHttpHeaders } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { WebSocket } from 'ws';
import type { Agent } from '../../src/agent.js';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** node:http sends any Host header, which fetch would not. */
export function ask(
  agent: Agent,
  path: string,
  headers: Record<string, string | string[]> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port: agent.port, path, method, headers, agent: false };
    // The certificate is not checked here, but in peers.test.ts.
    const ask = agent.url.startsWith('https') ? tlsRequest : request;
    const sent = ask({ ...target, rejectUnauthorized: false }, (answer) => {
      let body = '';
      answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Status of an upgrade attempt: 101 when it was let in. */
export function upgrade(agent: Agent, headers: Record<string, string>, path = '/ws'): Promise<number> {
  return new Promise((resolve) => {
    const scheme = agent.url.startsWith('https') ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://127.0.0.1:${agent.port}${path}`, {
      headers,
      rejectUnauthorized: false,
    });
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (sent, answer) => {
      resolve(answer.statusCode!);
      sent.destroy();
    });
    socket.on('error', () => undefined);
  });
}

export const bearer = (agent: Agent): Record<string, string> => ({ authorization: `Bearer ${agent.token}` });
export const cookie = (agent: Agent, session: string): Record<string, string> => ({
  cookie: `verbslab_${agent.port}=${session}`,
});
/** The path of a fresh link. */
export const link = (agent: Agent): string => agent.newLink().slice(agent.url.length);
/** The cookie of a browser that has opened a link. */
export async function signedIn(agent: Agent): Promise<Record<string, string>> {
  const { headers } = await ask(agent, link(agent));
  return { cookie: headers['set-cookie']![0]!.split(';')[0]! };
}
export const ownOrigin = (agent: Agent): Record<string, string> => ({
  origin: `http://127.0.0.1:${agent.port}`,
});
export const runs = '/api/runs/abcdefghi9';
