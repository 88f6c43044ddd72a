import { statSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Agent } from '../src/agent.js';
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
    const target = { host: '127.0.0.1', port: agent.port, path, method, headers };
    // Whether the certificate is the right one is what peers.test.ts is about.
    const ask = agent.fingerprint === undefined ? request : tlsRequest;
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
    const scheme = agent.fingerprint === undefined ? 'ws' : 'wss';
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
const cookie = (agent: Agent, token = agent.token): Record<string, string> => ({
  cookie: `verbslab_${agent.port}=${token}`,
});
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

  it('becomes a cookie once and leaves the address', async () => {
    const { agent } = await testAgent();
    const answer = await ask(agent, `/runs?token=${agent.token}&lab=bulk`);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/runs?lab=bulk');
    expect(answer.headers['set-cookie']).toEqual([
      `verbslab_${agent.port}=${agent.token}; HttpOnly; SameSite=Strict; Path=/`,
    ]);
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(answer.headers['cache-control']).toBe('no-store');
    const slashes = await ask(agent, `//evil.example/?token=${agent.token}`);
    expect(slashes.headers.location).toMatch(/^\/(?!\/)/);
  });

  it.each([
    ['nothing', ''],
    ['a letter', 'x'],
    ['one of the right length', 'A'.repeat(32)],
    ['a long one', 'A'.repeat(1000)],
  ])('is not %s', async (_what, wrong) => {
    const { agent } = await testAgent();
    for (const answer of [
      await ask(agent, `/?token=${wrong}`),
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

  it('lets in as cookie and as Bearer', async () => {
    const { agent } = await testAgent();
    expect((await ask(agent, '/metrics', cookie(agent))).status).toBe(200);
    expect((await ask(agent, '/metrics', bearer(agent))).body).toContain('# TYPE verbslab_runs gauge');
    expect(await upgrade(agent, bearer(agent))).toBe(101);
    expect(await upgrade(agent, { ...cookie(agent), ...ownOrigin(agent) })).toBe(101);
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
});

describe('the Origin header', () => {
  it('must be there on an upgrade with a cookie, and be exactly this agent’s', async () => {
    const { agent } = await testAgent();
    const inside = cookie(agent);
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
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect((await ask(agent, runs, cookie(agent), method)).status).toBe(403);
      expect((await ask(agent, runs, { ...cookie(agent), ...ownOrigin(agent) }, method)).status).toBe(405);
    }
  });

  it('is replaced by what browsers tell of a request without it', async () => {
    const { agent } = await testAgent();
    const from = (site: string, mode: string): Promise<Answer> =>
      ask(agent, '/metrics', { ...cookie(agent), 'sec-fetch-site': site, 'sec-fetch-mode': mode });
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

  it('answers a request that is not HTTP and goes on', async () => {
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

  it('answers a path that is no path', async () => {
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

  it('refuses to listen beyond this machine unless told twice', async () => {
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
    expect(agent.fingerprint).toMatch(/^[0-9a-f]{64}$/);
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
    const { headers } = await ask(agent, `/?token=${agent.token}`);
    expect(headers['set-cookie']?.[0]).toContain('; Secure');
    const own = { origin: `https://127.0.0.1:${agent.port}` };
    expect(await upgrade(agent, { ...cookie(agent), ...own })).toBe(101);
    expect(await upgrade(agent, { ...cookie(agent), ...ownOrigin(agent) })).toBe(403);
    expect(await upgrade(agent, { ...own })).toBe(401);
    expect(await upgrade(agent, { ...cookie(agent, 'A'.repeat(32)), ...own })).toBe(401);
  });

  it('takes the address that it is told to advertise, and no other', async () => {
    const { agent } = await testAgent({ ...outside, advertise: { host: 'lab.example', port: 7001 } });
    const at = async (host: string): Promise<number> =>
      (await ask(agent, '/metrics', { ...bearer(agent), host })).status;
    expect(await at('lab.example:7001')).toBe(200);
    expect(await at('lab.example:7002')).toBe(403);
    expect(await at(`lab.example:${agent.port}`)).toBe(403);
  });
});
