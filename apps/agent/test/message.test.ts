/** A message is an entry of the table and a handler: nothing else has to know of it. */
import { once } from 'node:events';
import { push, PROTOCOL_VERSION, reply, request } from '@verbslab/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { answer, type Subsystem } from '../src/base/subsystem.js';
import { decodeInvitation } from '../src/config/join-string.js';
import { testAgent } from './helpers/agent.js';

const ADD = request('test.add', { terms: z.array(z.int()).max(3) }, reply('test.added', { sum: z.int() }), {
  what: 'adds numbers',
});
const ADDED = push('test.changed', { sum: z.int() });

/** A subsystem with that message, which tells every client of the owner of each sum. */
function adder(): Subsystem & { listeners: Set<(sum: number) => void> } {
  const listeners = new Set<(sum: number) => void>();
  return {
    listeners,
    messages: [
      answer(ADD, ({ terms }) => {
        const sum = terms.reduce((all, term) => all + term, 0);
        for (const listener of listeners) listener(sum);
        return { sum };
      }),
    ],
    changes: (send) => {
      const listener = (sum: number): void => send(ADDED.schema.parse({ type: ADDED.type, sum }) as never);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A client that says hello, and then each message; gives all that it heard up to the reply. */
async function speaker(url: string, token: string) {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const say = (message: object): Promise<Record<string, unknown>[]> =>
    new Promise((resolve) => {
      const heard: Record<string, unknown>[] = [];
      const hear = (data: Buffer): void => {
        heard.push(JSON.parse(data.toString()) as Record<string, unknown>);
        if (heard.at(-1)!['re'] === undefined) return;
        socket.off('message', hear);
        resolve(heard);
      };
      socket.on('message', hear);
      socket.send(JSON.stringify(message));
    });
  await say({ type: 'hello', id: 1, protocol: PROTOCOL_VERSION, client: 'cli' });
  return { socket, say };
}

it('is answered by its handler, checked by its schema, and refused to those who may not send it', async () => {
  const extra = adder();
  const { agent } = await testAgent({ extra: [extra] });
  const owner = await speaker(agent.url, agent.token);
  expect(await owner.say({ type: 'test.add', id: 2, terms: [1, 2, 4] })).toEqual([
    { type: 'test.changed', sum: 7 },
    { type: 'test.added', re: 2, sum: 7 },
  ]);
  const [refused] = await owner.say({ type: 'test.add', id: 3, terms: [1, 2, 3, 4] });
  expect(refused).toMatchObject({ type: 'error', re: 3, code: 'BAD_MESSAGE' });
  expect(refused!['message']).toContain('terms');

  const peer = await speaker(agent.url, decodeInvitation(agent.joinString).token);
  const [forbidden] = await peer.say({ type: 'test.add', id: 4, terms: [1] });
  expect(forbidden).toMatchObject({ re: 4, code: 'NOT_FOR_PEERS' });

  // Only the owner was told, until its connection ended.
  expect(extra.listeners.size).toBe(1);
  owner.socket.close();
  await expect.poll(() => extra.listeners.size).toBe(0);
});

it('has one handler: an agent in which two answer it does not start', async () => {
  await expect(testAgent({ extra: [adder(), adder()] })).rejects.toThrow('two subsystems answer “test.add”');
});
