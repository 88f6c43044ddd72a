import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { testAgent } from './helpers/agent.js';

/** Sends `text` on a connection. Returns the bytes that come back until the other side closes it. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data: Buffer) => (answer += data.toString()));
  if (text !== '') socket.write(text);
  await once(socket, 'close');
  return answer;
}

describe('a connection', () => {
  it('that a browser opened ahead of need is closed without a word', async () => {
    const { agent } = await testAgent();
    // A request that never ends gets an answer; a connection without one must not: the browser would take it
    // for the answer to its next request.
    const [unused, begun] = await Promise.all([
      exchange(agent.port, ''),
      exchange(agent.port, 'GET / HTTP/1.1\r\nHost: '),
    ]);
    expect(unused).toBe('');
    expect(begun).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('on which a body is begun and never ends is closed', async () => {
    const { agent } = await testAgent();
    const head = `POST /api/health HTTP/1.1\r\nHost: 127.0.0.1:${agent.port}\r\nAuthorization: Bearer x\r\n`;
    expect(await exchange(agent.port, `${head}Content-Length: 10\r\n\r\n12`)).toMatch(/^HTTP\/1\.1 405 /);
  });

  it('that does not speak HTTP gets 400', async () => {
    const { agent } = await testAgent();
    expect(await exchange(agent.port, 'HELO there\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });
});
