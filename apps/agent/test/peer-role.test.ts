/** Rights of a join string: it opens endpoints, and nothing that belongs to the owner, whatever its holder claims. */
import { readFileSync, statSync, writeFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { ASKED, PROTOCOL_VERSION } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Agent } from '../src/agent.js';
import { AgentClient, type AgentAddress } from '../src/client/client.js';
import { homeAt } from '../src/config/home.js';
import { newToken } from '../src/config/token.js';
import { decodeInvitation } from '../src/config/join-string.js';
import { newHome, peerAddress, Recorder, testAgent } from './helpers/agent.js';
import { ask } from './helpers/browser.js';
import { verbslab } from './helpers/cli.js';

type Answer = { type: string; re?: number; code?: string; message?: string; cure?: string };

/** A client that sends any message, with this secret. */
async function speaker(
  { url }: Agent,
  token: string,
): Promise<{ ask(message: object): Promise<Answer>; heard: Answer[]; socket: WebSocket }> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  const heard: Answer[] = [];
  let waiting: ((answer: Answer) => void) | null = null;
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return;
    const answer = JSON.parse(data.toString()) as Answer;
    heard.push(answer);
    if (answer.re !== undefined || answer.type === 'error') waiting?.(answer);
  });
  return {
    heard,
    socket,
    ask: (message) =>
      new Promise((resolve) => {
        waiting = resolve;
        socket.send(JSON.stringify(message));
      }),
  };
}

const hello = (client: string, id = 1) => ({ type: 'hello', id, protocol: PROTOCOL_VERSION, client });
const secretOf = (agent: Agent): string => decodeInvitation(agent.joinString).token;

/** Requests that no paired agent may make, each with a body that would do it. */
const OWNERS: [string, object][] = [
  ['workbench.start', { source: 'int main(void) { return 0; }', language: 'c' }],
  ['workbench.list', {}],
  ['machines.start', {}],
  ['machines.stop', {}],
  ['machines.cancel', {}],
  ['tool.start', { tool: 'ibv_devices', params: {} }],
  ['tools.list', {}],
  ['sign-in.code', {}],
  ['set-up.look', {}],
  ['peers.list', {}],
  ['peers.add', { join: 'vlab1_' }],
  ['peers.remove', { name: 'x' }],
  ['peers.check', { from: 'local', to: 'local' }],
  ['run.start', { lab: 'quick', params: {}, mode: 'all' }],
  ['run.list', {}],
  ['run.delete', { runId: 'x' }],
  ['run.subscribe', { runId: 'x', fromSeq: 1 }],
  ['program.start', { program: { command: ['true'], pids: [1] } }],
  ['notebook.list', {}],
  ['progress.reset', {}],
  ['sweep.list', {}],
  ['traffic.watch', { on: true }],
];

describe('the holder of a join string', () => {
  it.each(['cli', 'web', 'peer', 'something new'])(
    'gets none of the owner’s rights as “%s”',
    async (client) => {
      const { agent } = await testAgent({ allowPrograms: true });
      const attacker = await speaker(agent, secretOf(agent));
      expect(await attacker.ask(hello(client))).toMatchObject({ type: 'welcome', labs: [], runs: [] });
      for (const [index, [type, body]] of OWNERS.entries()) {
        const answer = await attacker.ask({ type, id: index + 2, ...body });
        expect([type, answer.code]).toEqual([type, 'NOT_FOR_PEERS']);
      }
      const owner = await Recorder.connect(agent);
      expect((await owner.client.request('run.list', {})).total).toBe(0);
    },
  );

  it('may send no other message than those that endpoints need', async () => {
    const { agent } = await testAgent();
    const attacker = await speaker(agent, secretOf(agent));
    await attacker.ask(hello('cli'));
    const allowed: string[] = [];
    for (const type of Object.keys(ASKED)) {
      // The body is left out: the right to send a message is checked first.
      const { code } = await attacker.ask({ type, id: 7 });
      if (code !== 'NOT_FOR_PEERS') allowed.push(type);
    }
    expect(allowed.toSorted()).toEqual([
      'clock',
      'devices.list',
      'endpoint.call',
      'endpoint.close',
      'endpoint.open',
      'hello',
      'ping',
      'run.ack',
    ]);
  });

  it('cannot say hello again, as anything', async () => {
    const { agent } = await testAgent({ allowPrograms: true });
    const attacker = await speaker(agent, secretOf(agent));
    await attacker.ask(hello('peer'));
    for (const client of ['cli', 'web', 'peer'])
      expect(await attacker.ask(hello(client, 2))).toMatchObject({
        re: 2,
        type: 'error',
        code: 'HELLO_TWICE',
      });
    expect(await attacker.ask({ type: 'machines.cancel', id: 3 })).toMatchObject({ code: 'NOT_FOR_PEERS' });
    // The earlier connection goes on.
    expect(await attacker.ask({ type: 'ping', id: 4 })).toEqual({ type: 'pong', re: 4 });
  });

  it('hears of no run of the owner', async () => {
    const { agent } = await testAgent();
    const attacker = await speaker(agent, secretOf(agent));
    await attacker.ask(hello('cli'));
    const owner = await Recorder.connect(agent);
    const runId = await owner.start('quick');
    await owner.untilMessage('run.complete', (message) => message.runId === runId);
    await attacker.ask({ type: 'ping', id: 9 });
    expect(attacker.heard.map(({ type }) => type)).toEqual(['welcome', 'pong']);
  });

  it('feeds no run with binary frames', async () => {
    const { agent } = await testAgent();
    const attacker = await speaker(agent, secretOf(agent));
    await attacker.ask(hello('cli'));
    const refused = once(attacker.socket, 'message');
    attacker.socket.send(Buffer.alloc(64), { binary: true });
    const [data] = (await refused) as [Buffer];
    expect(JSON.parse(data.toString())).toMatchObject({ type: 'error', code: 'NOT_FOR_PEERS' });
  });

  it('reads nothing over HTTP, and imports nothing', async () => {
    const { agent } = await testAgent();
    const headers = { authorization: `Bearer ${secretOf(agent)}` };
    for (const path of [
      '/',
      '/metrics',
      '/api/runs/abc',
      '/api/runs/abc.json',
      '/api/runs/abc/export/report',
    ]) {
      const answer = await ask(agent, path, headers);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.body).toContain('NOT_FOR_PEERS');
    }
    const upload = await fetch(`${agent.url}/api/runs/import`, { method: 'POST', headers, body: 'x' });
    expect(upload.status).toBe(403);
  });

  it('opens endpoints, which the owner’s token does not', async () => {
    const { agent, opened } = await testAgent();
    const open = { run: 'r', role: 'client', device: 'test0', clock: '0' };
    const owner = await AgentClient.connect(agent.address, {}, { as: 'peer' });
    await expect(owner.client.request('endpoint.open', open)).rejects.toMatchObject({
      info: { code: 'PEER_ONLY' },
    });
    await owner.client.close();
    const peer = await AgentClient.connect(peerAddress(agent), {}, { as: 'peer' });
    await peer.client.request('endpoint.open', open);
    expect(opened).toHaveLength(1);
    await peer.client.close();
  });
});

describe('the secret of the join strings', () => {
  it('is another one than the token, in a file of its own that only the owner can read', async () => {
    const { agent } = await testAgent();
    expect(secretOf(agent)).not.toBe(agent.token);
    expect(readFileSync(agent.home.peerToken, 'utf8').trim()).toBe(secretOf(agent));
    expect(statSync(agent.home.peerToken).mode & 0o777).toBe(0o600);
    const { code, out } = await verbslab(agent.home.path, ['peers', 'invite', '--json']);
    expect(code).toBe(0);
    expect((JSON.parse(out) as { join: string }).join).toBe(agent.joinString);
  });

  it('lasts over restarts, and is replaced alone when its file is deleted', async () => {
    const home = newHome();
    const first = await testAgent({ home });
    await first.agent.close();
    const second = await testAgent({ home });
    expect([second.agent.token, secretOf(second.agent)]).toEqual([first.agent.token, secretOf(first.agent)]);
    await second.agent.close();
    rmSync(second.agent.home.peerToken);
    const third = await testAgent({ home });
    expect(secretOf(third.agent)).not.toBe(secretOf(first.agent));
  });

  const peerOf = (address: AgentAddress): Promise<AgentClient> =>
    AgentClient.connect(address, {}, { as: 'peer' }).then(({ client }) => client);

  it('is the old token where a version had one secret: old pairings work, with the rights of peers', async () => {
    const home = newHome();
    const old = newToken();
    writeFileSync(homeAt(home).token, `${old}\n`, { mode: 0o600 });
    const { agent } = await testAgent({ home });
    expect(secretOf(agent)).toBe(old);
    expect(agent.token).not.toBe(old);
    expect(readFileSync(agent.home.token, 'utf8').trim()).toBe(agent.token);
    expect(statSync(agent.home.token).mode & 0o777).toBe(0o600);
    const paired = await peerOf({ ...agent.address, token: old });
    expect((await paired.request('devices.list', {})).devices).toHaveLength(1);
    await expect(paired.request('run.list', {})).rejects.toMatchObject({ info: { code: 'NOT_FOR_PEERS' } });
    await paired.close();
  });

  it('is told apart from the token where a start was interrupted between the two', async () => {
    const home = newHome();
    const old = newToken();
    for (const file of [homeAt(home).token, homeAt(home).peerToken])
      writeFileSync(file, `${old}\n`, { mode: 0o600 });
    const { agent } = await testAgent({ home });
    expect(secretOf(agent)).toBe(old);
    expect(agent.token).not.toBe(old);
  });

  it('is asked for in vain where the running agent is of an older version, and the cure is said', async () => {
    const { agent } = await testAgent();
    rmSync(agent.home.peerToken);
    const { code, err } = await verbslab(agent.home.path, ['peers', 'invite']);
    expect(code).not.toBe(0);
    expect(err).toContain('older version');
    expect(err).toContain('verbslab up');
  });
});
