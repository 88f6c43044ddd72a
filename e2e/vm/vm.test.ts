/**
 * The kernel's SoftRoCE in two machines: the machines start, run and stop on request, and the embedded device
 * interoperates with it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AgentClient } from '../../apps/agent/src/client/client.js';
import { netemWords, setNetem } from '../../apps/agent/src/vms/netem.js';
import { isAlive } from '../../apps/agent/src/vms/process.js';
import { readState } from '../../apps/agent/src/vms/state.js';
import { status } from '../../apps/agent/src/vms/status.js';
import { captured } from './captures.js';
import { meetings } from './connection.js';
import { Machines, put, shell, start, type End } from './guest.js';
import { instruments } from './instruments.js';
import { exchanges, runPair, stockPrograms, type Direction } from './interop.js';
import { DEAD_LINK, Link } from './link.js';
import { onRxe } from './on-rxe.js';
import { failures, impairments, reliable, special, stock, troubled, unreliable } from './tables.js';

const BOOT = 240_000;
/** Further tries, for programs that race with their own server. */
const MORE_TRIES = 4;
const machines = new Machines();

/** The suite's own program, compiled. */
const folder = mkdtempSync(join(tmpdir(), 'interop-'));
const binary = join(folder, 'interop');
const link = new Link(machines, (vm) => put(vm, readFileSync(binary), '/tmp/interop'));
/**
 * Retry of a test on a dead link (dead for ping too): such a test has shown nothing, and runs again once the link is
 * back.
 */
const again = { retry: { count: 1, condition: DEAD_LINK } };

beforeAll(async () => {
  await machines.up();
}, BOOT);
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await link.revive();
}, BOOT);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await machines.down();
}, 60_000);

const end = (name: string, device: End['device']) => (): End => ({ vm: machines.get(name), device });

describe('two machines', () => {
  it('each have rxe0 and an agent with a token of its own', async () => {
    const now = await status(machines.folder);
    expect(now?.vms.map(({ name, condition, rdma }) => [name, condition, rdma])).toEqual([
      ['a', 'ready', 'ACTIVE'],
      ['b', 'ready', 'ACTIVE'],
    ]);
    const tokens = now!.vms.flatMap(({ agent, exec }) => [agent.token, exec.token]);
    expect(new Set(tokens).size).toBe(4);
    for (const { agent } of now!.vms) {
      const address = { ...agent, host: agent.address };
      const { client, welcome } = await AgentClient.connect(address);
      expect(welcome.devices.map(({ name }) => name)).toContain('rxe0');
      await client.close();
      await expect(AgentClient.connect({ ...address, token: 'x'.repeat(32) })).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
    }
  });

  it('see the system and the project of the host, but no home or secrets', async () => {
    const { stdout } = await shell(
      end('a', 'rxe')(),
      'ls -A /root /home /etc/ssh /etc/shadow 2>&1; findmnt -rno TARGET -t 9p',
    );
    expect(stdout).not.toMatch(/\.ssh|id_rsa/);
    expect(stdout).toMatch(/shadow.*No such file/);
    expect(stdout).toMatch(/\/\.shared\/usr$/m);
    const written = await shell(
      end('a', 'rxe')(),
      'echo x >/usr/written-in-the-machine && cat /usr/written-in-the-machine',
    );
    expect(written.stdout).toBe('x\n');
    expect(existsSync('/usr/written-in-the-machine')).toBe(false);
  });

  it('talk RDMA to each other', { timeout: 60_000 }, async () => {
    const line = 'ibv_rc_pingpong -p {port} -g 1 -n 200';
    const ready = (port: number) =>
      `grep -q ':${port.toString(16).toUpperCase()} .* 0A ' /proc/net/tcp /proc/net/tcp6`;
    const ends = { server: end('a', 'rxe')(), client: end('b', 'rxe')() };
    const { client } = await runPair(ends, { server: line, client: `${line} {at}`, ready });
    expect(client).toMatch(/^1638400 bytes in /m);
  });

  it('lose what netem says, until it is off', async () => {
    const vm = machines.get('a');
    await setNetem(vm, ['loss=30%', 'delay=1ms']);
    expect((await status(machines.folder))?.vms[0]?.netem).toMatch(/delay 1ms.* loss 30%/);
    await setNetem(vm, []);
    expect((await status(machines.folder))?.vms[0]?.netem).toBeNull();
    expect(netemWords(['loss=30%'])).toContain('loss');
  });

  it(
    'a crash is reported with the last console lines, and repaired without a change to the other',
    { timeout: BOOT },
    async () => {
      const before = machines.state;
      start(
        end('b', 'rxe')(),
        ['sh', '-c', 'echo 1 >/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger'],
        30_000,
      );
      const gone = async (): Promise<boolean> =>
        (await status(machines.folder))?.vms[1]?.condition === 'crashed';
      while (!(await gone())) await new Promise((resume) => setTimeout(resume, 100));
      const crashed = (await status(machines.folder))!.vms[1]!;
      expect(crashed.lastWords).toMatch(/panic|sysrq/i);
      const after = await machines.up();
      expect(after.vms[0]).toEqual(before.vms[0]);
      expect(after.vms[1]).toMatchObject({ agent: before.vms[1]!.agent, exec: before.vms[1]!.exec });
      expect(after.vms[1]!.pid).not.toBe(before.vms[1]!.pid);
      expect((await status(machines.folder))?.vms[1]?.condition).toBe('ready');
    },
  );
});

const toKernel: Direction = { name: 'uroce → rxe', server: end('a', 'rxe'), client: end('b', 'uroce') };
const fromKernel: Direction = { name: 'rxe → uroce', server: end('b', 'uroce'), client: end('a', 'rxe') };
const both = [toKernel, fromKernel];

describe('the embedded device and the kernel’s', again, () => {
  beforeAll(async () => {
    const source = join(import.meta.dirname, 'programs/interop.c');
    const { status: code, stderr } = spawnSync(
      'cc',
      ['-O1', '-Wall', '-Werror', '-o', binary, source, '-libverbs'],
      {
        encoding: 'utf8',
      },
    );
    expect(code, stderr).toBe(0);
    for (const vm of machines.state.vms) await link.furnish(vm);
  }, 60_000);

  captured('RC: every operation, size and MTU', end('a', 'rxe'), link, () => {
    for (const direction of both) exchanges(reliable, direction);
  });

  captured('RC: atomics, RNR, shared receive queues, failures', end('a', 'rxe'), link, () => {
    for (const direction of both) exchanges([...special, ...failures], direction);
  });

  captured('UC and UD', end('a', 'rxe'), link, () => {
    for (const direction of both) exchanges(unreliable, direction);
  });

  captured('stock programs', end('a', 'rxe'), link, () => {
    for (const direction of both) stockPrograms(stock, direction);
  });

  captured('the connection manager', end('a', 'rxe'), link, () => {
    for (const { name, server, client } of both) {
      for (const line of meetings) {
        it(`${name}: ${line.client}`, { timeout: 150_000 }, async () => {
          const ready = line.ready(server().device);
          const meet = () => runPair({ server: server(), client: client() }, { ...line, ready });
          const mayRace = (error: unknown): boolean =>
            server().device === 'rxe' && line.again?.test(String(error)) === true;
          const attempt = (left: number): ReturnType<typeof meet> =>
            meet().catch((error: unknown) => {
              if (left === 0 || !mayRace(error)) throw error;
              return attempt(left - 1);
            });
          const texts = await attempt(MORE_TRIES);
          if (line.serverPrints) expect(texts.server).toMatch(line.serverPrints);
          if (line.clientPrints) expect(texts.client).toMatch(line.clientPrints);
        });
      }
    }
  });

  for (const settings of impairments) {
    captured(`a link with ${settings.join(' ')}`, end('a', 'rxe'), link, () => {
      beforeAll(() => link.impair(settings));
      afterAll(() => link.impair([]));
      for (const direction of both) exchanges(troubled, direction);
    });
  }
});

describe('the instruments of a lab', again, () =>
  instruments(() => ({ server: end('a', 'rxe')(), client: end('b', 'rxe')() })),
);

describe('the labs of the catalog on rxe', again, () =>
  onRxe(() => ({ server: end('a', 'rxe')(), client: end('b', 'rxe')() })),
);

describe('afterwards', () => {
  it.skipIf(machines.kept)('down leaves nothing', { timeout: 60_000 }, async () => {
    const { vms } = readState(machines.folder)!;
    await machines.down();
    expect(vms.map(isAlive)).toEqual([false, false]);
    expect(existsSync(machines.home)).toBe(false);
  });
});
