/** The command channel of a machine: its server as it runs there, but on this host. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newToken } from '../src/config/token.js';
import { execute, mustRunIn, runIn } from '../src/vms/exec-client.js';
import { l2Address } from '../src/vms/machine.js';
import { freePorts } from '../src/vms/ports.js';
import type { Vm } from '../src/vms/state.js';

const program = fileURLToPath(new URL('../dist/bundle/vms/guest/exec-server.cjs', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'verbslab-exec-'));
let server: ChildProcess;
let vm: Vm;

beforeAll(async () => {
  const token = newToken();
  const tokenFile = join(home, 'token');
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
  const [port] = (await freePorts(1)) as [number];
  const exec = { address: '127.0.0.1', port, token };
  vm = {
    name: 'a',
    index: 0,
    pid: 0,
    startTime: '',
    startedAt: 0,
    agent: { ...exec, fingerprint: '' },
    exec,
    ...l2Address(0),
  };
  server = spawn(process.execPath, [program, exec.address, String(port), tokenFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, HOME: home },
  });
  await new Promise((resolve, reject) => {
    server.stdout!.once('data', resolve);
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
});
afterAll(() => {
  server.kill();
  rmSync(home, { recursive: true, force: true });
});

describe('commands in a machine', () => {
  it('end as they end, with what they print where they print it', async () => {
    expect(await runIn(vm, ['sh', '-c', 'echo out; echo err >&2; exit 7'])).toEqual({
      code: 7,
      signal: null,
      error: null,
      stdout: 'out\n',
      stderr: 'err\n',
    });
    expect(await runIn(vm, ['sh', '-c', 'kill -9 $$'])).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(await runIn(vm, ['sh', '-c', 'echo $X'], { env: { X: "it's" } })).toMatchObject({
      stdout: "it's\n",
    });
    await expect(mustRunIn(vm, ['sh', '-c', 'echo why >&2; exit 3'])).rejects.toThrow(/ended with 3: why/);
  });

  it('get what is written to them, without a limit', async () => {
    const size = 20_000_000;
    let got = 0;
    const end = await execute(
      vm,
      { command: ['cat'], env: {}, terminal: null },
      {
        stdin: Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(size / 20, 'x'))),
        stdout: (chunk) => (got += chunk.length),
        stderr: () => undefined,
      },
    );
    expect([end.code, got]).toEqual([0, size]);
  });

  it('without a command there is a shell', async () => {
    let output = '';
    const end = await execute(
      vm,
      { command: null, env: {}, terminal: null },
      {
        stdin: Readable.from([Buffer.from('echo $HOME; exit 4\n')]),
        stdout: (chunk) => (output += chunk.toString()),
        stderr: () => undefined,
      },
    );
    expect([end.code, output.trim().split('\n').at(-1)]).toEqual([4, home]);
  });

  it('end with the process that asked for them', async () => {
    const marker = `${home}/alive`;
    const controller = new AbortController();
    const line = `touch ${marker}; sleep 600 & wait`;
    const running = runIn(vm, ['sh', '-c', line], { signal: controller.signal });
    while ((await runIn(vm, ['test', '-e', marker])).code !== 0);
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    const left = `ps -eo args | grep -c '^sh -c touch ${marker}' || true`;
    while ((await runIn(vm, ['sh', '-c', left])).stdout.trim() !== '0');
  });

  it('reports what cannot be started, and missing permission', async () => {
    await expect(runIn(vm, ['there-is-no-such-program'])).rejects.toThrow(/ENOENT/);
    const stranger = { ...vm, exec: { ...vm.exec, token: newToken() } };
    await expect(runIn(stranger, ['true'])).rejects.toThrow(/token/);
    const nobody = { ...vm, exec: { ...vm.exec, port: 1 } };
    await expect(runIn(nobody, ['true'])).rejects.toThrow(/could not be run/);
  });
});
