/** A paired agent in a virtual machine that crashes. The machine is a process of ours that ends; QEMU's is e2e/vm's. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from '@verbslab/protocol';
import { expect, it, vi } from 'vitest';
import { decodeInvitation } from '../src/config/join-string.js';
import { DEFAULT_MEMORY, DEFAULT_MTU, l2Address } from '../src/vms/machine.js';
import { vmFiles, vmsFolder } from '../src/vms/paths.js';
import { end, startDetached, type ProcessId } from '../src/vms/process.js';
import { writeState } from '../src/vms/state.js';
import type { Recorder } from './helpers/agent.js';
import { ownAddress } from './helpers/own-address.js';
import { OUTSIDE, OWN_ADDRESS, otherAgent, ownAgent } from './helpers/pair.js';

vi.setConfig({ testTimeout: 120_000 });
ownAddress(OWN_ADDRESS);

const name = 'a';
const WORDS = 'Kernel panic - not syncing: sysrq triggered crash';

/** The state of a machine whose agent has this join string and whose QEMU is a process that sleeps. */
async function machine(home: string, invitation: string): Promise<ProcessId> {
  const folder = vmsFolder(home);
  const { host: address, port, token, fingerprint } = decodeInvitation(invitation);
  const write = (id: ProcessId): void =>
    writeState(folder, {
      version: 1,
      accel: 'tcg',
      kernel: '6.1.0-1-amd64',
      cpus: 1,
      memory: DEFAULT_MEMORY,
      mtu: DEFAULT_MTU,
      vms: [
        {
          ...id,
          name,
          index: 0,
          startedAt: 0,
          agent: { address, port, token, fingerprint: fingerprint ?? '' },
          exec: { address, port: 1, token },
          ...l2Address(0),
        },
      ],
    });
  // Makes the folder.
  write({ pid: 0, startTime: '' });
  const id = await startDetached('sleep', ['600'], folder.path, vmFiles(name).log);
  write(id);
  writeFileSync(
    join(folder.path, vmFiles(name).console),
    `@verbslab step agent\njoin: ${invitation}\n${WORDS}\n`,
  );
  return id;
}

const nextPeers = async (recorder: Recorder, holds: (peer: Peer | undefined) => boolean): Promise<Peer> => {
  const seen = recorder.messages.length;
  await recorder.until(() =>
    recorder.messages
      .slice(seen)
      .some((message) => message.type === 'peers.changed' && holds(message.peers[0])),
  );
  return (await recorder.client.request('peers.list', {})).peers[0] as Peer;
};

it('reports the crash of a machine in the run and on the Hosts page, and finds the machine again when it is back', async () => {
  const other = await otherAgent();
  const { agent, recorder } = await ownAgent();
  const qemu = await machine(agent.home.path, other.join);
  await recorder.client.request('peers.add', { join: other.join, name });
  const { run } = await recorder.client.request('run.start', {
    lab: 'bulk',
    params: { duration: 60 },
    mode: 'all',
    endpoints: { server: `${name}/uroce0`, client: 'local/uroce0' },
  });
  await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  await recorder.until(() => recorder.frames.length > 3);

  // The connection breaks before the process is quite gone.
  const told = nextPeers(recorder, (peer) => peer?.error?.code === 'VMS_CRASHED');
  await Promise.all([other.kill(), end(qemu)]);
  const crashed = await told;
  expect(crashed).toMatchObject({ state: 'down' });
  expect(crashed.error?.message).toContain(`The virtual machine “${name}” has crashed`);
  expect(crashed.error?.cure).toContain('npx verbslab vms up');
  // A join string has the token.
  expect(crashed.error?.detail).toBe(WORDS);

  await recorder.untilMessage('run.complete', ({ runId }) => runId === run.id);
  const ended = (await recorder.client.request('run.get', { runId: run.id })).run;
  expect(ended).toMatchObject({ state: 'failed', error: { code: 'VMS_LOST', detail: WORDS } });
  expect(ended.error?.message).toContain('which ended the endpoint “server”');
  expect(ended.error?.cure).toContain('npx verbslab vms up');

  // A run on it is refused with the same words.
  await expect(
    recorder.client.request('run.start', {
      lab: 'bulk',
      params: {},
      mode: 'all',
      endpoints: { server: `${name}/uroce0` },
    }),
  ).rejects.toMatchObject({ code: 'VMS_CRASHED' });

  const up = nextPeers(recorder, (peer) => peer?.state === 'up');
  const { port } = decodeInvitation(other.join);
  const again = await otherAgent(OUTSIDE, { VERBSLAB_PORT: String(port) }, other.home);
  const healed = await machine(agent.home.path, again.join);
  // The refresh does what `vms up` does: the link need not wait for its next attempt.
  await recorder.client.request('peers.list', { refresh: true });
  expect(await up).toMatchObject({ state: 'up', error: null });
  await end(healed);
});

it('calls no machine crashed that runs', async () => {
  const other = await otherAgent();
  const { agent, recorder } = await ownAgent();
  const qemu = await machine(agent.home.path, other.join);
  await recorder.client.request('peers.add', { join: other.join, name });
  const down = nextPeers(recorder, (peer) => peer?.state === 'down');
  await other.kill();
  expect(await down).toMatchObject({ error: { code: 'PEER_UNREACHABLE' } });
  // The next attempt must not lead to another conclusion.
  const { peers } = await recorder.client.request('peers.list', { refresh: true });
  expect(peers[0]?.error?.code).toBe('PEER_UNREACHABLE');
  await end(qemu);
});
