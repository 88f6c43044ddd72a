import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { PROTOCOL_VERSION } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Agent } from '../src/agent.js';
import { AgentClient } from '../src/client/client.js';
import { newHome, testAgent } from './helpers/agent.js';
import {
  ask,
  bearer,
  cookie,
  link,
  ownOrigin,
  runs,
  signedIn,
  upgrade,
  type Answer,
} from './helpers/browser.js';

describe('the token', () => {
  it('has 192 bits and is in a file that only its owner can read', async () => {
    const { agent } = await testAgent();
    expect(Buffer.from(agent.token, 'base64url')).toHaveLength(24);
    expect(statSync(agent.home.token).mode & 0o777).toBe(0o600);
    expect(statSync(agent.home.state).mode & 0o777).toBe(0o600);
    expect(statSync(agent.home.path).mode & 0o777).toBe(0o700);
  });

  it('stays the same over restarts', async () => {
    const home = newHome();
    const first = await testAgent({ home });
    await first.agent.close();
    const second = await testAgent({ home });
    expect(second.agent.token).toBe(first.agent.token);
  });

  it.each([
    ['nothing', ''],
    ['a letter', 'x'],
    ['one of the right length', 'A'.repeat(32)],
    ['a long one', 'A'.repeat(1000)],
  ])('is not %s', async (_what, wrong) => {
    const { agent } = await testAgent();
    for (const answer of [
      await ask(agent, `/?code=${wrong}`),
      await ask(agent, runs, cookie(agent, wrong)),
      await ask(agent, runs, { authorization: `Bearer ${wrong}` }),
    ]) {
      expect(answer.status).toBe(401);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.body).not.toContain(agent.token);
    }
    expect(await upgrade(agent, { ...ownOrigin(agent), ...cookie(agent, wrong) })).toBe(401);
  });

  it('is needed for everything but health', async () => {
    const { agent } = await testAgent();
    for (const path of [
      '/',
      '/metrics',
      runs,
      `${runs}/capture.pcapng`,
      '/_next/static/x.js',
      '/api/nothing',
    ]) {
      expect([path, (await ask(agent, path)).status]).toEqual([path, 401]);
    }
    const health = await ask(agent, '/api/health');
    expect(health.status).toBe(200);
    expect(JSON.parse(health.body)).toMatchObject({ status: 'ok', product: 'verbslab', pid: process.pid });
    expect(health.body).not.toContain(agent.token);
  });

  it('is accepted as Bearer, and neither as a cookie nor in an address', async () => {
    const { agent } = await testAgent();
    expect((await ask(agent, '/metrics', bearer(agent))).body).toContain('# TYPE verbslab_runs gauge');
    expect(await upgrade(agent, bearer(agent))).toBe(101);
    expect((await ask(agent, '/metrics', cookie(agent, agent.token))).status).toBe(401);
    expect(await upgrade(agent, { ...cookie(agent, agent.token), ...ownOrigin(agent) })).toBe(401);
    for (const path of [`/?token=${agent.token}`, `/?code=${agent.token}`])
      expect((await ask(agent, path)).status).toBe(401);
  });
});

describe('a link', () => {
  it('signs one browser in and leaves the address', async () => {
    const { agent } = await testAgent();
    const path = link(agent);
    const answer = await ask(agent, `/runs${path.slice(1)}&lab=bulk`);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/runs?lab=bulk');
    const [set] = answer.headers['set-cookie']!;
    expect(set).toMatch(/^verbslab_\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['cache-control']).toBe('no-store');
    const inside = { cookie: set!.split(';')[0]! };
    expect((await ask(agent, '/metrics', inside)).status).toBe(200);
    expect(await upgrade(agent, { ...inside, ...ownOrigin(agent) })).toBe(101);

    const again = await ask(agent, path, { accept: 'text/html' });
    expect(again.status).toBe(401);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.body).toContain('<code>npx verbslab open</code>');
    // A browser that is signed in and has the link in its history is redirected.
    expect((await ask(agent, path, inside)).status).toBe(303);
    const slashes = await ask(agent, `//evil.example${link(agent).slice(1)}`);
    expect(slashes.headers.location).toMatch(/^\/(?!\/)/);
  });

  it('ends after 15 minutes', async () => {
    const { agent } = await testAgent();
    const path = link(agent);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await ask(agent, path)).status).toBe(401);
    expect((await ask(agent, link(agent))).status).toBe(303);
  });

  it('is not used up by a HEAD request', async () => {
    const { agent } = await testAgent();
    const path = link(agent);
    await ask(agent, path, {}, 'HEAD');
    expect((await ask(agent, path)).status).toBe(303);
  });

  it('from a file is followed through a page of this origin, because a redirect would not send the cookie', async () => {
    const { agent } = await testAgent();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const answer = await ask(agent, link(agent), headers);
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toHaveLength(1);
    expect(answer.body).toContain('content="0;url=/"');
  });

  it('gives a separate session, which is not a token and ends with the agent', async () => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const [one, other] = [await signedIn(agent), await signedIn(agent)];
    expect(one).not.toEqual(other);
    const session = one.cookie!.split('=')[1]!;
    expect((await ask(agent, '/metrics', { authorization: `Bearer ${session}` })).status).toBe(401);
    expect(await upgrade(agent, { authorization: `Bearer ${session}` })).toBe(401);
    await agent.close();
    const next = await testAgent({ home, port: agent.port });
    expect((await ask(next.agent, '/metrics', one)).status).toBe(401);
  });
});

describe('a page that stays open over a restart', () => {
  interface Resume {
    id: string;
    key: string;
  }
  async function resumeOf(agent: Agent): Promise<Resume> {
    const headers = { ...(await signedIn(agent)), ...ownOrigin(agent) };
    const socket = new WebSocket(`ws://127.0.0.1:${agent.port}/ws`, { headers });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'hello', id: 1, protocol: PROTOCOL_VERSION, client: 'web' }));
    const [data] = (await once(socket, 'message')) as [Buffer];
    socket.terminate();
    return (JSON.parse(data.toString()) as { resume: Resume }).resume;
  }
  const sign = (key: string, text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url');
  const challenge = async (agent: Agent): Promise<string> =>
    (JSON.parse((await ask(agent, '/api/resume')).body) as { challenge: string }).challenge;
  const present = (agent: Agent, id: string, proof: string): Promise<Answer> =>
    ask(agent, `/api/resume?id=${id}&proof=${proof}`);

  it('is signed in by proof of its key, to this agent under this name only', async () => {
    const home = newHome();
    const first = (await testAgent({ home })).agent;
    const { id, key } = await resumeOf(first);
    const old = await challenge(first);
    expect((await ask(first, '/metrics', { authorization: `Bearer ${key}` })).status).toBe(401);
    await first.close();
    const { agent } = await testAgent({ home, port: first.port });
    const [now, host] = [await challenge(agent), `127.0.0.1:${agent.port}`];
    expect(now).not.toBe(old);
    const wrong: [string, string][] = [
      [id, sign(key, `${old} ${host}`)],
      [id, sign(key, `${now} 127.0.0.1:1`)],
      [id, sign('key', `${now} ${host}`)],
      [`9${id}`, sign(key, `${now} ${host}`)],
      ['', ''],
    ];
    for (const [one, proof] of wrong) expect((await present(agent, one, proof)).status).toBe(401);
    const answer = await present(agent, id, sign(key, `${now} ${host}`));
    expect(answer.status).toBe(204);
    const inside = { cookie: answer.headers['set-cookie']![0]!.split(';')[0]! };
    expect((await ask(agent, '/metrics', inside)).status).toBe(200);
  });

  it('gets no key as a program, and no link', async () => {
    const { agent } = await testAgent();
    const { welcome } = await AgentClient.connect(agent.address);
    expect(welcome.resume).toBeUndefined();
  });
});

describe('programs', () => {
  it('reach a loopback agent by TLS on the same port, and recognize it by its certificate', async () => {
    const { agent } = await testAgent();
    expect(agent.url).toBe(`http://127.0.0.1:${agent.port}`);
    const { client } = await AgentClient.connect(agent.address);
    const { code } = await client.request('sign-in.code', {});
    await client.close();
    expect((await ask(agent, `/?code=${code}`)).status).toBe(303);
    const stranger = { ...agent.address, fingerprint: '0'.repeat(64) };
    await expect(AgentClient.connect(stranger)).rejects.toMatchObject({ code: 'PEER_UNTRUSTED' });
  });

  it('alone get one-time codes', async () => {
    const { agent } = await testAgent();
    const headers = { ...(await signedIn(agent)), ...ownOrigin(agent) };
    const page = new WebSocket(`ws://127.0.0.1:${agent.port}/ws`, { headers });
    onTestFinished(() => page.terminate());
    await once(page, 'open');
    const say = async (message: object): Promise<unknown> => {
      page.send(JSON.stringify(message));
      return JSON.parse(((await once(page, 'message')) as [Buffer])[0].toString());
    };
    await say({ type: 'hello', id: 1, protocol: PROTOCOL_VERSION, client: 'cli' });
    expect(await say({ type: 'sign-in.code', id: 2 })).toMatchObject({ re: 2, code: 'PROGRAM_ONLY' });
  });
});
