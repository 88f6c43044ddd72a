import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { networkInterfaces } from 'node:os';
import { PROTOCOL_VERSION } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Agent } from '../src/agent.js';
import { AgentClient } from '../src/client/client.js';
import { newHome, testAgent } from './helpers/agent.js';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** node:http sends any Host header, which fetch would not. */
function ask(
  agent: Agent,
  path: string,
  headers: Record<string, string | string[]> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port: agent.port, path, method, headers, agent: false };
    // Whether the certificate is the right one is what peers.test.ts is about.
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
function upgrade(agent: Agent, headers: Record<string, string>, path = '/ws'): Promise<number> {
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

const bearer = (agent: Agent): Record<string, string> => ({ authorization: `Bearer ${agent.token}` });
const cookie = (agent: Agent, session: string): Record<string, string> => ({
  cookie: `verbslab_${agent.port}=${session}`,
});
/** The path of a fresh link. */
const link = (agent: Agent): string => agent.newLink().slice(agent.url.length);
/** The cookie of a browser that has opened a link. */
async function signedIn(agent: Agent): Promise<Record<string, string>> {
  const { headers } = await ask(agent, link(agent));
  return { cookie: headers['set-cookie']![0]!.split(';')[0]! };
}
const ownOrigin = (agent: Agent): Record<string, string> => ({ origin: `http://127.0.0.1:${agent.port}` });
const runs = '/api/runs/abcdefghi9';

describe('the token', () => {
  it('has 192 bits and lives in a file that only its owner reads', async () => {
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

  it('lets in as Bearer, and neither as cookie nor in an address', async () => {
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
    expect(again.body).toContain('<code>verbslab open</code>');
    // The same browser, which has it in its history, is sent on.
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

  it('that a file opened leads on by a page of this origin, for the cookie is not sent on a redirect', async () => {
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
  it('reach a loopback agent by TLS on the same port, and know it by its certificate', async () => {
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

describe('the Host header', () => {
  it('must name this agent, so a rebound name gets nowhere', async () => {
    const { agent } = await testAgent();
    for (const host of [
      'evil.example',
      `evil.example:${agent.port}`,
      '127.0.0.1',
      `127.0.0.1:1`,
      `[::]:${agent.port}`,
      `127.0.0.1.evil.example:${agent.port}`,
    ]) {
      const answer = await ask(agent, '/metrics', { ...bearer(agent), host });
      expect([host, answer.status]).toEqual([host, 403]);
      expect(answer.body).toContain('BAD_HOST');
      expect((await ask(agent, '/api/health', { host })).status).toBe(403);
      expect(await upgrade(agent, { ...bearer(agent), host })).toBe(403);
    }
    for (const host of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST']) {
      const answer = await ask(agent, '/metrics', { ...bearer(agent), host: `${host}:${agent.port}` });
      expect([host, answer.status]).toEqual([host, 200]);
    }
  });

  it('may leave out the default port, behind a forwarded 443', async () => {
    const advertise = { host: 'lab.example', port: 443 };
    const { agent } = await testAgent({ host: '0.0.0.0', allowRemote: true, advertise });
    const at = async (host: string): Promise<number> =>
      (await ask(agent, '/metrics', { ...bearer(agent), host })).status;
    expect(await at('lab.example')).toBe(200);
    expect(await at('lab.example:443')).toBe(200);
    expect(await at('lab.example:80')).toBe(403);
    expect(await at('evil.example')).toBe(403);
  });

  it('names the loopback address that the agent listens on', async () => {
    const { agent } = await testAgent({ host: '127.0.1.1' });
    const { client } = await AgentClient.connect(agent.address);
    await client.close();
    expect((await fetch(`${agent.url}/api/health`)).status).toBe(200);
  });
});

describe('the Origin header', () => {
  it('must be there on an upgrade with a cookie, and be exactly this agent’s', async () => {
    const { agent } = await testAgent();
    const inside = await signedIn(agent);
    expect(await upgrade(agent, inside)).toBe(403);
    const foreign = [
      'null',
      'http://evil.example',
      `http://localhost:${agent.port}`,
      `https://127.0.0.1:${agent.port}`,
      `http://127.0.0.1:${agent.port}.evil.example`,
      'http://127.0.0.1',
      `http://127.0.0.1:${agent.port}/`,
    ];
    for (const origin of foreign) {
      expect([origin, await upgrade(agent, { ...inside, origin })]).toEqual([origin, 403]);
      expect([origin, await upgrade(agent, { ...bearer(agent), origin })]).toEqual([origin, 403]);
      expect([origin, (await ask(agent, '/metrics', { ...inside, origin })).status]).toEqual([origin, 403]);
    }
  });

  it('must be there on every method that may change something', async () => {
    const { agent } = await testAgent();
    const inside = await signedIn(agent);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect((await ask(agent, runs, inside, method)).status).toBe(403);
      expect((await ask(agent, runs, { ...inside, ...ownOrigin(agent) }, method)).status).toBe(405);
    }
  });

  it('is replaced by the other headers that browsers send', async () => {
    const { agent } = await testAgent();
    const inside = await signedIn(agent);
    const from = (site: string, mode: string): Promise<Answer> =>
      ask(agent, '/metrics', { ...inside, 'sec-fetch-site': site, 'sec-fetch-mode': mode });
    expect((await from('cross-site', 'no-cors')).status).toBe(403);
    expect((await from('same-site', 'no-cors')).status).toBe(403);
    expect((await from('same-origin', 'cors')).status).toBe(200);
    expect((await from('none', 'navigate')).status).toBe(200);
  });
});

describe('the server', () => {
  it('sends no page where it could be framed, sniffed or scripted from elsewhere', async () => {
    const { agent } = await testAgent();
    const { headers } = await ask(agent, '/api/health');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('upgrades at /ws only', async () => {
    const { agent } = await testAgent();
    expect(await upgrade(agent, bearer(agent), '/')).toBe(404);
    expect((await ask(agent, '/ws', bearer(agent))).status).toBe(404);
  });

  it('answers a request that is not HTTP and keeps running', async () => {
    const { agent } = await testAgent();
    const { connect } = await import('node:net');
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(agent.port, '127.0.0.1', () => socket.write('\u0000\u0001nonsense\r\n\r\n'));
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect((await ask(agent, '/api/health')).status).toBe(200);
  });

  it('answers a request with an invalid path', async () => {
    const { agent } = await testAgent();
    for (const path of ['//', 'http://', '/%', '/..%2f..%2fetc/passwd', '/../../etc/passwd']) {
      const answer = await ask(agent, path, bearer(agent));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.body).not.toMatch(/INTERNAL|root:/);
    }
  });

  it('counts whom it refused', async () => {
    const { agent } = await testAgent();
    await ask(agent, '/');
    await upgrade(agent, {});
    const { body } = await ask(agent, '/metrics', bearer(agent));
    expect(body).toContain('verbslab_refused_total{over="http"} 1');
    expect(body).toContain('verbslab_refused_total{over="websocket"} 1');
  });

  it('refuses to listen beyond this machine without two options', async () => {
    await expect(testAgent({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'NON_LOOPBACK_BIND' });
    const { agent } = await testAgent({ host: '0.0.0.0', allowRemote: true });
    expect((await ask(agent, '/metrics')).status).toBe(401);
    expect((await ask(agent, '/metrics', bearer(agent))).status).toBe(200);
    // By whichever of its names others call it, and by no other.
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address, family } of addresses.filter(({ internal }) => !internal)) {
      const host = `${family === 'IPv6' ? `[${address}]` : address}:${agent.port}`;
      expect([host, (await ask(agent, '/metrics', { ...bearer(agent), host })).status]).toEqual([host, 200]);
    }
    const foreign = `203.0.113.9:${agent.port}`;
    expect((await ask(agent, '/metrics', { ...bearer(agent), host: foreign })).status).toBe(403);
  });
});

describe('an agent that others can reach', () => {
  const outside = { host: '0.0.0.0', allowRemote: true };

  it('speaks TLS 1.3 only, and answers nothing in the clear', async () => {
    const { agent } = await testAgent(outside);
    expect(agent.url).toMatch(/^https:/);
    expect(agent.address.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const { connect } = await import('node:net');
    const plain = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(agent.port, '127.0.0.1', () =>
        socket.write(`GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:${agent.port}\r\n\r\n`),
      );
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    expect(plain).not.toContain('HTTP/1.1 200');
    const { connect: tls } = await import('node:tls');
    const old = await new Promise<string>((resolve) => {
      const socket = tls({
        port: agent.port,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        maxVersion: 'TLSv1.2',
      });
      socket.on('secureConnect', () => resolve(socket.getProtocol() ?? ''));
      socket.on('error', (error: Error) => resolve(error.message));
    });
    expect(old).toMatch(/version|alert/i);
    expect((await ask(agent, '/api/health')).status).toBe(200);
  });

  it('marks its cookie Secure and takes its own https origin only', async () => {
    const { agent } = await testAgent(outside);
    const { headers } = await ask(agent, link(agent));
    expect(headers['set-cookie']?.[0]).toContain('; Secure');
    const inside = await signedIn(agent);
    const own = { origin: `https://127.0.0.1:${agent.port}` };
    expect(await upgrade(agent, { ...inside, ...own })).toBe(101);
    expect(await upgrade(agent, { ...inside, ...ownOrigin(agent) })).toBe(403);
    expect(await upgrade(agent, { ...own })).toBe(401);
    expect(await upgrade(agent, { ...cookie(agent, 'A'.repeat(32)), ...own })).toBe(401);
  });

  it('accepts only the address that it advertises', async () => {
    const { agent } = await testAgent({ ...outside, advertise: { host: 'lab.example', port: 7001 } });
    const at = async (host: string): Promise<number> =>
      (await ask(agent, '/metrics', { ...bearer(agent), host })).status;
    expect(await at('lab.example:7001')).toBe(200);
    expect(await at('lab.example:7002')).toBe(403);
    expect(await at(`lab.example:${agent.port}`)).toBe(403);
  });
});
