/** Peers of other versions: what they may say, and what makes them refused. */
import { encodeHistogram } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import type { Recorder } from './helpers/agent.js';
import { device } from './helpers/device.js';
import { ENDPOINT, falsePeer, usualAnswer, type FalsePeer } from './helpers/false-peer.js';
import { ended, paired, peers, refusedPairing, running, start } from './helpers/paired.js';

describe('a peer of another version', () => {
  it('is refused when it speaks another protocol, with both versions and the cure', async () => {
    const peer = await falsePeer(({ type }) =>
      type === 'hello' ? { type: 'welcome', protocol: 99, everything: 'else is new, too' } : undefined,
    );
    const { recorder, error } = await refusedPairing(peer);
    expect(error.code).toBe('AGENT_PROTOCOL');
    expect(error.message).toContain('protocol 99');
    expect(error.message).toContain('protocol 1');
    expect(error.cure).toContain('same version');
    expect(await peers(recorder)).toEqual([]);
    expect(peer.heard.map(({ type }) => type)).toEqual(['hello']);
  });

  it('may use error codes that this one does not know', async () => {
    const peer = await falsePeer(({ type }) =>
      type === 'endpoint.open'
        ? { type: 'error', code: 'FUTURE_CODE', message: 'The flux is too high.', cure: 'Lower it.' }
        : undefined,
    );
    const recorder = await paired(peer);
    const run = await ended(recorder, await start(recorder));
    expect(run).toMatchObject({
      state: 'failed',
      error: { code: 'FUTURE_CODE', message: 'The flux is too high.', cure: 'Lower it.' },
    });
    // The error is kept unchanged, and nothing else suffers from it.
    const { runs } = await recorder.client.request('run.list', {});
    expect(runs[0]).toMatchObject({ id: run.id, error: { code: 'FUTURE_CODE' } });
    expect((await peers(recorder))[0]?.state).toBe('up');
  });

  it('may report events and send messages that this one does not know', async () => {
    const peer = await falsePeer();
    const recorder = await paired(peer);
    const runId = await running(recorder);
    peer.say({ type: 'endpoint.mood', endpoint: ENDPOINT, mood: 'good' });
    peer.say({
      type: 'endpoint.events',
      endpoint: ENDPOINT,
      events: [{ kind: 'flux', t: 5, level: 7, endpoint: 'client', seq: 1 }],
    });
    await recorder.until(() => recorder.events.some(({ kind }) => kind === 'unknown'));
    const event = recorder.events.find(({ kind }) => kind === 'unknown');
    expect(event).toMatchObject({
      kind: 'unknown',
      of: 'flux',
      t: 5,
      values: { level: 7 },
      endpoint: 'server',
    });
    expect(event?.seq).toBeGreaterThan(1);
    await recorder.client.request('run.cancel', { runId });
    expect((await ended(recorder, runId)).state).toBe('cancelled');
  });
});

describe('words that only another version knows', () => {
  const foreign = {
    ...device,
    providerClass: 'quantum',
    provider: 'cloud',
    capabilities: ['tap', 'teleport'],
    lacks: [
      { capability: 'teleport', message: 'No.', cure: 'None.' },
      { capability: 'faults', message: 'No.', cure: 'None.' },
    ],
    ports: [
      {
        port: 1,
        state: 'DREAMING',
        linkLayer: 'photonic',
        maxMtu: 16_384,
        activeMtu: 1024,
        gids: [
          { index: 0, gid: '::ffff:192.0.2.1', address: '192.0.2.1', type: 'RoCEv2' },
          { index: 1, gid: '::ffff:192.0.2.1', address: '192.0.2.1', type: 'RoCEv3' },
        ],
        mood: 'good',
      },
    ],
    novelty: { of: 'this version' },
  };
  const read = {
    name: device.name,
    providerClass: 'unknown',
    provider: 'system',
    capabilities: ['tap'],
    lacks: [{ capability: 'faults', message: 'No.', cure: 'None.' }],
    ports: [
      {
        port: 1,
        state: 'NOP',
        linkLayer: 'unspecified',
        maxMtu: 4096,
        activeMtu: 1024,
        gids: [{ index: 0, gid: '::ffff:192.0.2.1', address: '192.0.2.1', type: 'RoCEv2' }],
      },
    ],
  };

  async function foreignPeer(): Promise<{ peer: FalsePeer; recorder: Recorder }> {
    const peer = await falsePeer((message) => {
      const usual = usualAnswer(message);
      if (message.type === 'hello')
        return {
          ...usual,
          devices: [foreign],
          labs: [{ id: 'New Lab', watch: ['aura'], needs: 7 }],
          runs: [{ id: 'x', state: 'paused', mode: 'backwards' }],
        };
      if (message.type === 'endpoint.open') return { ...usual, device: foreign };
      return message.type === 'devices.list' ? { type: 'devices', devices: [foreign] } : undefined;
    });
    return { peer, recorder: await paired(peer) };
  }

  it('in a welcome are read as unknown, and those of labs and runs not at all', async () => {
    const { peer, recorder } = await foreignPeer();
    expect((await peers(recorder))[0]).toMatchObject({ state: 'up', devices: [read] });
    const asked = await recorder.client.request('peers.list', { refresh: true });
    expect(asked.peers[0]).toMatchObject({ state: 'up', devices: [read] });
    // The peer was greeted once: its only connection was not made again.
    expect(peer.heard.filter(({ type }) => type === 'hello')).toHaveLength(1);
  });

  it('in events, news and frames of an endpoint do not end it', async () => {
    const { peer, recorder } = await foreignPeer();
    const runId = await running(recorder);
    peer.say({ type: 'run.changed', run: { id: runId, state: 'paused' } });
    peer.say({ type: 'peers.changed', peers: [{ name: 'c', state: 'asleep' }] });
    const frame = encodeHistogram({ source: 1, t: 0 }, new Uint8Array(8));
    frame[2] = 200;
    peer.socket!.send(frame, { binary: true });
    peer.say({
      type: 'endpoint.events',
      endpoint: ENDPOINT,
      events: [
        { kind: 'qp', t: 1, qpn: 17, from: 'RTS', to: 'DORMANT', attrs: {}, why: 'new' },
        { kind: 'counter', t: 2, when: 'hourly', values: { packets: 1 } },
      ],
    });
    await recorder.until(() => recorder.events.some(({ kind }) => kind === 'counter'));
    expect(recorder.events.find(({ kind }) => kind === 'qp')).toMatchObject({ from: 'RTS', to: 'UNKNOWN' });
    expect(recorder.events.find(({ kind }) => kind === 'counter')).toMatchObject({ when: 'sample' });
    expect(recorder.events.find((event) => event.kind === 'endpoint' && event.host === 'b')).toMatchObject({
      providerClass: 'unknown',
    });
    expect(recorder.frames).toEqual([]);
    await recorder.client.request('run.cancel', { runId });
    expect((await ended(recorder, runId)).state).toBe('cancelled');
  });

  it.each([
    ['a number', { ...foreign, providerClass: 7 }],
    ['nothing', { ...foreign, providerClass: undefined }],
    ['a text without end', { ...foreign, providerClass: 'x'.repeat(65) }],
    ['no list', { ...foreign, capabilities: 'tap' }],
  ])('are words: %s in their place is refused', async (_, wrong) => {
    const peer = await falsePeer((message) =>
      message.type === 'hello' ? { ...usualAnswer(message), devices: [wrong] } : undefined,
    );
    const { error } = await refusedPairing(peer);
    expect(error.message).toMatch(/devices\.0\./);
  });
});
