import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentClient } from '../src/client/client.js';
import { Recorder, signIn, testAgent } from './helpers/agent.js';
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

  it('counts the requests that it refused', async () => {
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
    // All names by which others can call the agent are accepted, and no other name.
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

it('health says whether the page that asks is signed in', async () => {
  const { agent } = await testAgent();
  const signedIn = async (headers: Record<string, string>): Promise<unknown> =>
    (JSON.parse((await ask(agent, '/api/health', headers)).body) as { signedIn: unknown }).signedIn;
  expect(await signedIn({})).toBe(false);
  expect(await signedIn({ cookie: await signIn(agent) })).toBe(true);
});

it('silent sockets of others are bounded, and who is connected goes on', async () => {
  const { agent } = await testAgent();
  const owner = await Recorder.connect(agent);
  const sockets = Array.from({ length: 300 }, () => connect(agent.port, '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  let closed = 0;
  // The limit is 256 connections, of which the owner has one.
  await new Promise<void>((resolve) => {
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.on('close', () => ++closed === 45 && resolve());
    }
  });
  await owner.client.request('ping', {});
  expect(owner.closed).toBe(false);
});
