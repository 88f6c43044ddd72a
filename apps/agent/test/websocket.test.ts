import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import fc from 'fast-check';
import { bulk } from '@verbslab/labs';
import { FEW_CPUS, MAX_MESSAGE_BYTES, PROTOCOL_VERSION } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Agent } from '../src/agent.js';
import { AgentClient } from '../src/client/client.js';
import { openHome } from '../src/config/home.js';
import { newToken } from '../src/config/token.js';
import { describeAgent } from '../src/devices/machine.js';
import { loadIdentity } from '../src/config/identity.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';

async function open(agent: Agent, greet = true, client = 'cli'): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${agent.port}/ws`, {
    headers: { authorization: `Bearer ${agent.token}` },
  });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  if (greet) {
    const hello = { type: 'hello', id: 0, protocol: PROTOCOL_VERSION, client };
    expect(await say(socket, JSON.stringify(hello))).toMatchObject({ type: 'welcome', re: 0 });
  }
  return socket;
}

type Reply = { type: string; re?: number; code?: string; message?: string; cure?: string };

async function say(socket: WebSocket, data: string | Buffer, binary = false): Promise<Reply> {
  const reply = once(socket, 'message') as Promise<[Buffer]>;
  socket.send(data, { binary });
  return JSON.parse((await reply)[0].toString()) as Reply;
}

const ping = JSON.stringify({ type: 'ping', id: 1 });

describe('parameters that a device cannot hold', () => {
  it('are refused before anything starts', async () => {
    const { agent, opened } = await testAgent({ labs: [bulk] });
    const socket = await open(agent);
    const start = { type: 'run.start', id: 1, lab: 'bulk', params: { depth: 32 }, mode: 'all' };
    const reply = await say(socket, JSON.stringify(start));
    expect(reply).toMatchObject({ type: 'error', code: 'BAD_PARAM' });
    expect(reply.message).toMatch(/“depth” is invalid: 32 WRs is more than 1 WR, the limit of /);
    expect(opened).toEqual([]);
  });
});

describe('a page that follows a run', () => {
  const notes = (recorder: Recorder): string[] =>
    recorder.events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));

  it('is named in the run once, if the machine has few CPUs', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const runId = await recorder.start('waiting');
    await recorder.until(() => notes(recorder).includes('ready'));
    const subscribe = JSON.stringify({ type: 'run.subscribe', id: 1, runId, fromSeq: 1 });
    for (const page of [await open(agent, true, 'web'), await open(agent, true, 'web')])
      expect(await say(page, subscribe)).toMatchObject({ type: 'run.subscribed' });
    await recorder.client.request('run.cancel', { runId });
    await recorder.until(() => recorder.messages.some(({ type }) => type === 'run.complete'));
    const few = availableParallelism() <= FEW_CPUS;
    expect(notes(recorder).filter((text) => text.includes('Measured with a page open'))).toHaveLength(
      few ? 1 : 0,
    );
  });
});

describe('what a client says', () => {
  it('is answered with a typed error when it is wrong, and the connection lives', async () => {
    const { agent } = await testAgent();
    const socket = await open(agent);
    const wrong: [string, string, number?][] = [
      ['', 'BAD_JSON'],
      ['{', 'BAD_JSON'],
      ['nonsense', 'BAD_JSON'],
      ['null', 'BAD_MESSAGE'],
      ['[]', 'BAD_MESSAGE'],
      ['42', 'BAD_MESSAGE'],
      [
        `{"type":"run.start","id":9,"lab":"quick","params":{"x":${'['.repeat(2000)}${']'.repeat(2000)}},"mode":"all"}`,
        'TOO_DEEP',
      ],
      [`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`, 'TOO_DEEP'],
      ['{}', 'BAD_MESSAGE'],
      ['{"type":"no.such","id":3}', 'UNKNOWN_MESSAGE', 3],
      ['{"type":"__proto__","id":3}', 'UNKNOWN_MESSAGE', 3],
      ['{"type":"ping"}', 'BAD_MESSAGE'],
      ['{"type":"ping","id":-1}', 'BAD_MESSAGE'],
      ['{"type":"run.get","id":9,"runId":"../x"}', 'BAD_MESSAGE', 9],
      ['{"type":"run.get","id":9,"runId":"0000000000"}', 'UNKNOWN_RUN', 9],
      ['{"type":"run.cancel","id":9,"runId":"0000000000"}', 'UNKNOWN_RUN', 9],
      ['{"type":"run.subscribe","id":9,"runId":"0000000000","fromSeq":1}', 'UNKNOWN_RUN', 9],
      ['{"type":"run.start","id":9,"lab":"nope","params":{},"mode":"all"}', 'UNKNOWN_LAB', 9],
      ['{"type":"run.start","id":9,"lab":"quick","params":{"x":1},"mode":"all"}', 'UNKNOWN_PARAM', 9],
      ['{"type":"run.start","id":9,"lab":"quick","params":{"count":"x"},"mode":"all"}', 'BAD_PARAM', 9],
      [
        '{"type":"run.start","id":9,"lab":"quick","params":{},"mode":"all","device":"d"}',
        'UNKNOWN_DEVICE',
        9,
      ],
      ['{"type":"run.start","id":9,"lab":"needy","params":{},"mode":"all"}', 'MISSING_CAPABILITY', 9],
      [`{"type":"hello","id":9,"protocol":${PROTOCOL_VERSION + 1},"client":"web"}`, 'PROTOCOL_VERSION', 9],
      ['{"type":"hello","id":9,"protocol":99,"client":{"all":"else is new"}}', 'PROTOCOL_VERSION', 9],
    ];
    for (const [text, code, re] of wrong) {
      const reply = await say(socket, text);
      expect([text, reply.type, reply.code, reply.re]).toEqual([text, 'error', code, re]);
      expect(reply.message).toMatch(/\S.*[.:]$|\S.*\.$/);
      expect(reply.cure).not.toBe('');
    }
    expect(await say(socket, Buffer.from([1, 2, 3]), true)).toMatchObject({
      type: 'error',
      code: 'BAD_FRAME',
    });
    expect(await say(socket, ping)).toEqual({ type: 'pong', re: 1 });
  });

  it('never breaks the connection, whatever JSON it is', async () => {
    const { agent } = await testAgent();
    const socket = await open(agent);
    await fc.assert(
      fc.asyncProperty(fc.json(), async (text) => {
        expect((await say(socket, text)).type).toBe('error');
      }),
      { numRuns: 200 },
    );
    expect(await say(socket, ping)).toEqual({ type: 'pong', re: 1 });
  });

  it('closes only that connection with 1009 when it is too long', async () => {
    const { agent } = await testAgent();
    const [one, other] = [await open(agent), await open(agent)];
    const closed = once(one, 'close') as Promise<[number]>;
    one.on('error', () => undefined);
    one.send('x'.repeat(MAX_MESSAGE_BYTES + 1));
    expect((await closed)[0]).toBe(1009);
    expect(await say(other, ping)).toEqual({ type: 'pong', re: 1 });
    const largest = JSON.stringify({ type: 'ping', id: 2, pad: 'x'.repeat(MAX_MESSAGE_BYTES - 64) });
    expect(await say(other, largest)).toEqual({ type: 'pong', re: 2 });
  });

  it('that is not a WebSocket frame ends only that connection', async () => {
    const { agent } = await testAgent();
    const other = await open(agent);
    const raw = connect(agent.port, '127.0.0.1');
    await once(raw, 'connect');
    raw.write(
      `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${agent.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\nSec-WebSocket-Version: 13\r\n` +
        `Authorization: Bearer ${agent.token}\r\n\r\n`,
    );
    const [answer] = (await once(raw, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 101/);
    // Reserved opcode, not masked.
    raw.write(Buffer.from([0x8b, 0x02, 0x00, 0x00]));
    raw.resume();
    await once(raw, 'close');
    expect(await say(other, ping)).toEqual({ type: 'pong', re: 1 });
  });
});

describe('hello', () => {
  const hello = (protocol: number): string =>
    JSON.stringify({ type: 'hello', id: 1, protocol, client: 'cli' });

  it('comes before any other message, with the agent’s version of the protocol', async () => {
    const { agent } = await testAgent();
    const socket = await open(agent, false);
    const early = [
      ping,
      '{"type":"run.list","id":1}',
      '{"type":"run.ack","bytes":1}',
      '{"type":"program.events","runId":"0000000000","events":[]}',
      '{"type":"run.start","id":1,"lab":"quick","params":{},"mode":"all"}',
    ];
    const refused = async (): Promise<void> => {
      for (const text of early) expect(await say(socket, text)).toMatchObject({ code: 'HELLO_FIRST' });
      expect(await say(socket, Buffer.alloc(32), true)).toMatchObject({ code: 'HELLO_FIRST' });
    };
    await refused();
    expect(await say(socket, hello(PROTOCOL_VERSION + 1))).toMatchObject({ re: 1, code: 'PROTOCOL_VERSION' });
    await refused();
    expect(await say(socket, hello(PROTOCOL_VERSION))).toMatchObject({ re: 1, type: 'welcome' });
    expect(await say(socket, ping)).toEqual({ type: 'pong', re: 1 });
  });

  it('is needed to hear what changes', async () => {
    const { agent } = await testAgent();
    const silent = await open(agent, false);
    const heard: string[] = [];
    silent.on('message', (data: Buffer) => heard.push(data.toString()));
    const recorder = await Recorder.connect(agent);
    await recorder.start('quick');
    await recorder.untilMessage('run.complete');
    expect(await say(silent, ping)).toMatchObject({ code: 'HELLO_FIRST' });
    expect(heard).toHaveLength(1);
  });
});

describe('the client', () => {
  it('closes without a rejection when the connection breaks during the close', async () => {
    const { key, cert, fingerprint } = await loadIdentity(openHome(newHome()));
    const server = createServer({ key, cert }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    new WebSocketServer({ server }).on('connection', (socket, request) => {
      socket.once('message', () => {
        socket.send(
          JSON.stringify({
            type: 'welcome',
            re: 1,
            protocol: PROTOCOL_VERSION,
            agent: describeAgent(),
            devices: [],
            labs: [],
            runs: [],
          }),
        );
        // The client answers the close frame with a reserved opcode.
        request.socket.removeAllListeners('data').on('data', () => request.socket.write('\x8b\0'));
      });
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const address = { host: '127.0.0.1', port, fingerprint, token: newToken() };
    const { client } = await AgentClient.connect(address);
    await expect(client.close()).resolves.toBeUndefined();
  });
});

describe('the connection', () => {
  it('begins with hello, and the reply lists devices and labs', async () => {
    const { agent } = await testAgent();
    const recorder = await Recorder.connect(agent);
    const { labs } = await recorder.client.request('labs.list', {});
    expect(labs.map(({ id }) => id)).toContain('quick');
    const { devices } = await recorder.client.request('devices.list', {});
    expect(devices).toHaveLength(1);
  });

  it('is given up when the client does not answer a ping', async () => {
    const { agent } = await testAgent({ pingIntervalMs: 30, pingTimeoutMs: 40 });
    const deaf = await open(agent);
    const closed = once(deaf, 'close') as Promise<[number]>;
    deaf.pause();
    const lively = await open(agent);
    let pings = 0;
    await new Promise<void>((resolve) => lively.on('ping', () => ++pings === 8 && resolve()));
    // The deaf client was given up by then; it learns this when it reads again.
    deaf.resume();
    expect((await closed)[0]).toBe(1006);
    expect(lively.readyState).toBe(WebSocket.OPEN);
  });

  it('is closed politely when the agent ends', async () => {
    const { agent } = await testAgent();
    const socket = await open(agent);
    const closed = once(socket, 'close') as Promise<[number]>;
    await agent.close();
    expect((await closed)[0]).toBe(1001);
  });
});
