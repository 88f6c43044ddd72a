import { statSync } from 'node:fs';
import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { AppError, Peer } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AgentClient } from '../src/client/client.js';
import { homeAt, openHome } from '../src/config/home.js';
import { decodeInvitation, encodeInvitation } from '../src/config/join-string.js';
import { loadIdentity } from '../src/config/identity.js';
import { newHome, signIn, type Recorder, peerAddress } from './helpers/agent.js';
import { ownAddress } from './helpers/own-address.js';
import { OUTSIDE, OWN_ADDRESS, otherAgent, ownAgent, PEER_ADDRESS } from './helpers/pair.js';

// Each test starts an agent or two and their endpoints, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 });
ownAddress(OWN_ADDRESS);

const failure = async (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as AppError,
  );
const add = (recorder: Recorder, join: string, name?: string) =>
  recorder.client.request('peers.add', { join, ...(name === undefined ? {} : { name }) });
const list = async (recorder: Recorder): Promise<Peer[]> =>
  (await recorder.client.request('peers.list', {})).peers;

describe('pairing over TLS', () => {
  it('shows the other agent’s devices, GIDs and clock, and outlives a restart of either', async () => {
    const other = await otherAgent();
    expect(decodeInvitation(other.join)).toMatchObject({ fingerprint: /^[0-9a-f]{64}$/ });
    const own = await ownAgent();
    const { peer } = await add(own.recorder, other.join, 'vm1');
    expect(peer).toMatchObject({ name: 'vm1', state: 'up', tls: true, error: null });
    expect(peer.devices[0]?.ports[0]?.gids[0]?.address).toBe(PEER_ADDRESS);
    // Both agents run on this machine, so they have one clock.
    expect(peer.clock?.errorNs).toBeGreaterThan(0);
    expect(Math.abs(peer.clock?.offsetNs ?? NaN)).toBeLessThanOrEqual(peer.clock?.errorNs ?? 0);
    expect(statSync(own.agent.home.peers).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(peer)).not.toContain(decodeInvitation(other.join).token);

    await own.agent.close();
    const again = await ownAgent(own.agent.home.path);
    await again.recorder.untilMessage('peers.changed', ({ peers }) => peers[0]?.state === 'up');
    expect(await list(again.recorder)).toMatchObject([{ name: 'vm1', state: 'up' }]);

    // A lost peer is noticed and reported at once.
    await other.kill();
    await again.recorder.untilMessage('peers.changed', ({ peers }) => peers[0]?.state === 'down');
    const [down] = await list(again.recorder);
    expect(down).toMatchObject({ state: 'down', error: { code: 'PEER_UNREACHABLE' } });
    expect(down?.devices).toHaveLength(1);
    // The link connects again by itself to the same agent at the same address.
    const { host, port } = decodeInvitation(other.join);
    expect(port).toBeGreaterThan(0);
    const seen = again.recorder.messages.length;
    await otherAgent(host, { VERBSLAB_PORT: String(port) }, other.home);
    await again.recorder.until(() =>
      again.recorder.messages
        .slice(seen)
        .some((message) => message.type === 'peers.changed' && message.peers[0]?.state === 'up'),
    );
  });

  it('refuses an agent with another certificate before it sends the token', async () => {
    const other = await otherAgent();
    const { recorder } = await ownAgent();
    const wrong = encodeInvitation({ ...decodeInvitation(other.join), fingerprint: '0'.repeat(64) });
    const error = await failure(add(recorder, wrong));
    expect(error.code).toBe('PEER_UNTRUSTED');
    expect(error.message).toContain('0000');
    expect(await list(recorder)).toEqual([]);

    // Another program at that address receives not one byte.
    const heard: Buffer[] = [];
    const identity = await loadIdentity(openHome(newHome()));
    const impostor = createServer({ key: identity.key, cert: identity.cert }, (socket: TLSSocket) => {
      socket.on('data', (data: Buffer) => heard.push(data));
      socket.on('error', () => undefined);
    }).listen(0, OUTSIDE);
    onTestFinished(() => void impostor.close());
    await once(impostor, 'listening');
    const { port } = impostor.address() as AddressInfo;
    const aimed = encodeInvitation({ ...decodeInvitation(other.join), port });
    expect((await failure(add(recorder, aimed))).code).toBe('PEER_UNTRUSTED');
    expect(Buffer.concat(heard).length).toBe(0);
  });

  it('refuses a wrong token, and says what to do', async () => {
    const other = await otherAgent();
    const { recorder } = await ownAgent();
    const token = Buffer.alloc(24, 1).toString('base64url');
    const error = await failure(add(recorder, encodeInvitation({ ...decodeInvitation(other.join), token })));
    expect(error.code).toBe('PEER_REFUSED');
    expect(error.info.cure).toContain('verbslab peers invite');
    expect(await list(recorder)).toEqual([]);
  });

  it('keeps one name for one agent', async () => {
    const other = await otherAgent();
    const { agent, recorder } = await ownAgent();
    const { peer } = await add(recorder, other.join);
    expect((await failure(add(recorder, other.join))).code).toBe('HOST_TAKEN');
    expect((await failure(add(recorder, other.join, peer.name))).code).toBe('HOST_TAKEN');
    expect((await failure(add(recorder, other.join, 'local'))).code).toBe('HOST_TAKEN');
    expect((await failure(add(recorder, agent.joinString))).code).toBe('PEER_ITSELF');
    expect((await failure(add(recorder, 'rubbish'))).code).toBe('BAD_JOIN_STRING');
    expect((await failure(recorder.client.request('peers.remove', { name: 'nobody' }))).code).toBe(
      'UNKNOWN_HOST',
    );
    await recorder.client.request('peers.remove', { name: peer.name });
    expect(await list(recorder)).toEqual([]);
  });

  it('says so when nothing listens', async () => {
    const other = await otherAgent();
    await other.kill();
    const { recorder } = await ownAgent();
    const error = await failure(add(recorder, other.join));
    expect(error.code).toBe('PEER_UNREACHABLE');
    expect(error.message).toContain('nothing is listening there');
  });
});

describe('endpoints for other agents', () => {
  const open = { run: 'r', role: 'client', device: 'uroce0', clock: '0' };

  it('are not for pages, nor for a program that does not say that it is an agent', async () => {
    const { agent, recorder } = await ownAgent();
    expect((await failure(recorder.client.request('endpoint.open', open))).code).toBe('PEER_ONLY');
    const cookie = await signIn(agent);
    const { WebSocket } = await import('ws');
    const page = new WebSocket(agent.url.replace('http', 'ws') + '/ws', {
      headers: { cookie, origin: agent.url },
    });
    onTestFinished(() => page.terminate());
    await once(page, 'open');
    const answer = async (message: object): Promise<unknown> => {
      page.send(JSON.stringify(message));
      const [data] = (await once(page, 'message')) as [Buffer];
      return JSON.parse(data.toString());
    };
    await answer({ type: 'hello', id: 1, protocol: 1, client: 'peer' });
    expect(await answer({ type: 'endpoint.open', id: 2, ...open })).toMatchObject({
      re: 2,
      type: 'error',
      code: 'PEER_ONLY',
    });
  });

  it('end with the connection, belong to one run at a time, and know no stranger’s number', async () => {
    const { agent } = await ownAgent();
    const peer = async () => (await AgentClient.connect(peerAddress(agent), {}, { as: 'peer' })).client;
    const first = await peer();
    const second = await peer();
    onTestFinished(() => second.close());
    const { endpoint, pid } = await first.request('endpoint.open', open);
    expect((await failure(second.request('endpoint.open', { ...open, run: 'other' }))).code).toBe('RUN_BUSY');
    const stranger = second.request('endpoint.call', { endpoint, op: 'query', args: {} });
    expect((await failure(stranger)).code).toBe('BAD_HANDLE');
    const wrong = first.request('endpoint.call', { endpoint, op: 'regMr', args: { pd: 'x' } });
    expect((await failure(wrong)).code).toBe('BAD_MESSAGE');
    first.terminate();
    const { alive, eventually } = await import('./endpoint-harness.js');
    await eventually('the process is gone', () => !alive(pid));
    // The agent learns of the end of the process a moment after the kernel.
    let next: number | null = null;
    const again = async (): Promise<void> => {
      next = (await second.request('endpoint.open', { ...open, run: 'other' })).endpoint;
    };
    for (let tries = 0; next === null && tries < 100; tries++)
      await again().catch((error: unknown) => expect((error as AppError).code).toBe('RUN_BUSY'));
    expect(next).not.toBeNull();
    expect(next).not.toBe(endpoint);
  });
});

describe('the certificate', () => {
  it('is made once, for its owner only', async () => {
    const home = homeAt(newHome());
    const first = await loadIdentity(home);
    expect(statSync(home.key).mode & 0o777).toBe(0o600);
    expect(await loadIdentity(home)).toEqual(first);
  });
});
