/**
 * UCX, libfabric, MPI and fio through `verbslab exec`, as an ordinary user; and programs that list devices by files.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { installed, nextPort, start, untilListening, untilPrinted, type Outcome } from './run.js';
import { MPI_RANKS, mpiMatrix, stackMatrix, type MpiLine, type StackLine } from './stacks.js';

const patience = 300_000;
const options = { ordinaryUser: true, exec: true, cwd: '/', timeoutMs: patience - 10_000 };
const programOf = (line: StackLine) => line.server.split(' ', 1)[0] ?? '';

const folder = mkdtempSync(join(tmpdir(), 'verbs-stacks-'));
chmodSync(folder, 0o755);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const missing = [...new Set(stackMatrix.filter((line) => !installed(programOf(line))).map((l) => l.package))];
const hasMpi = ({ compiler, launcher }: MpiLine) => installed(compiler) && installed(launcher);
missing.push(...new Set(mpiMatrix.filter((line) => !hasMpi(line)).map((line) => line.package)));
if (missing.length > 0)
  console.warn(`not installed, their lines are skipped (apt install ${missing.join(' ')})`);

/** Number of tries for a line that may lose its last completion, and the time limit of a try, ms. */
const TRIES = 4;
const TRY_MS = 60_000;
/** The row of the longest message, which shows that everything was sent, received and compared. */
const COMPLETE = /^1m\s+(\d+)\s+=\1\s/m;

interface Ends {
  server: Outcome;
  client: Outcome;
}

/** Checks the exchanged rows of a line whose programs may end in any way. */
async function checkRows(line: StackLine): Promise<void> {
  let { server, client } = await run(line);
  const complete = () => COMPLETE.test(server.output) && COMPLETE.test(client.output);
  for (let tries = 1; tries < TRIES && !complete(); tries++) ({ server, client } = await run(line));
  for (const { output } of [server, client]) {
    expect(output).toMatch(COMPLETE);
    expect(output).toMatch(line.prints);
  }
}

async function check(line: StackLine): Promise<void> {
  if (line.mayLoseItsLastCompletion) return checkRows(line);
  const { server, client } = await run(line);
  const context = `client:\n${client.output}\nserver:\n${server.output}`;
  expect({ server: server.code, client: client.code }, context).toEqual({ server: 0, client: 0 });
  expect(client.output, context).toMatch(line.prints);
}

async function run(line: StackLine): Promise<Ends> {
  const port = nextPort();
  const words = (command: string) => command.replaceAll('{port}', String(port)).split(' ');
  const [program = '', ...serverArgs] = words(line.server);
  const [, ...clientArgs] = words(line.client);
  const settings = {
    ...options,
    ...(line.mayLoseItsLastCompletion ? { timeoutMs: TRY_MS } : {}),
  };
  const [there, here] = (line.addresses ?? []).map((address) => ({ UROCE_ADDR: address }));
  const server = start(program, serverArgs, { ...settings, env: { ...line.env, ...there } });
  await (line.ready === undefined ? untilListening(server, port) : untilPrinted(server, line.ready));
  const client = start(program, clientArgs, { ...settings, env: { ...line.env, ...here } });
  const c = await client.finished;
  // A server would wait forever for another client.
  if (c.code !== 0) server.child.kill();
  return { server: await server.finished, client: c };
}

describe('stacks above verbs', () => {
  for (const line of stackMatrix) {
    it.skipIf(!installed(programOf(line)))(
      (line.addresses ? 'two addresses: ' : '') +
        settings(line.env).join('') +
        line.client.replace(/ (-p |-P |--port=)\{port\}/, ''),
      { timeout: line.mayLoseItsLastCompletion ? 2 * TRIES * TRY_MS : patience },
      () => check(line),
    );
  }
});

const settings = (env: Record<string, string> = {}) =>
  Object.entries(env).map(([name, value]) => `${name}=${value} `);

describe('MPI', () => {
  for (const line of mpiMatrix) {
    const { compiler, launcher, env } = line;
    const args = ['-n', String(MPI_RANKS), ...line.args.split(' ').filter((word) => word !== '')];
    const title = `${settings(env).join('')}${launcher} ${args.join(' ')}`;
    it.skipIf(!hasMpi(line))(title, { timeout: patience }, async () => {
      const binary = join(folder, `ring-${compiler}`);
      const source = join(import.meta.dirname, 'programs/ring.c');
      // MPICH's MPI_STATUSES_IGNORE is address 1, and GCC takes that for an array without room.
      const flags = ['-O1', '-Wall', '-Werror', '-Wno-stringop-overflow'];
      const built = spawnSync(compiler, [...flags, '-o', binary, source], { encoding: 'utf8' });
      expect(built.status, built.stderr).toBe(0);
      const { code, output } = await start(launcher, [...args, binary], { ...options, env }).finished;
      expect(code, output).toBe(0);
      expect(output).toContain(`${String(MPI_RANKS)} ranks exchanged and checked everything`);
    });
  }
});

describe.skipIf(!able)('the device’s files', () => {
  const programs = new Programs();
  afterAll(() => {
    programs.remove();
  });

  it('are seen by every libc call that takes a path', { timeout: patience }, async () => {
    const { code, output } = await start(programs.compile('paths'), [], options).finished;
    expect(code, output).toBe(0);
    expect(output).toMatch(/^0 of \d+ ways are wrong\n$/);
  });

  const checker = ['/lib64', '/usr/lib64', '/lib/x86_64-linux-gnu', '/lib/aarch64-linux-gnu']
    .map((place) => join(place, 'libc_malloc_debug.so.0'))
    .find((path) => existsSync(path));
  it.skipIf(checker === undefined)(
    'are named within the blocks that libc makes',
    { timeout: patience },
    async () => {
      const binary = programs.compile('paths');
      const script = `LD_PRELOAD=$LD_PRELOAD:${checker} MALLOC_CHECK_=3 exec ${binary}`;
      const { code, output } = await start('sh', ['-c', script], options).finished;
      expect(code, output).toBe(0);
    },
  );

  it('leave a program its own search path for libraries', { timeout: patience }, async () => {
    const libraries = join(folder, 'libraries');
    mkdirSync(libraries);
    const cc = (source: string, ...args: string[]) => {
      const built = spawnSync('cc', [...args, '-x', 'c', '-'], { input: source, encoding: 'utf8' });
      expect(built.status, built.stderr).toBe(0);
    };
    cc('int answer = 42;', '-shared', '-fPIC', '-o', join(libraries, 'libownanswer.so'));
    const source = '#include <dlfcn.h>\nint main(void) { return dlopen("libownanswer.so", RTLD_NOW) == 0; }';
    const binary = join(folder, 'search');
    cc(source, '-o', binary, `-Wl,--enable-new-dtags,-rpath,${libraries}`);
    const { code, output } = await start(binary, [], options).finished;
    expect([code, output]).toEqual([0, '']);
  });

  it('have the names of the kernel’s', { timeout: patience }, async () => {
    const binary = programs.compile('names');
    const { code, output } = await start(binary, [], options).finished;
    expect(code, output).toBe(0);
    expect(output).toBe(
      'uroce0 uverbs0 /sys/class/infiniband_verbs/uverbs0 /sys/class/infiniband/uroce0\nuroce0\n',
    );
  });
});

describe('what lists devices by files', () => {
  const list = async (program: string, ...args: string[]) => {
    const { code, output } = await start(program, args, options).finished;
    expect(code, output).toBe(0);
    return output;
  };

  it.skipIf(!installed('ibstat'))('ibstat', { timeout: patience }, async () => {
    const output = await list('ibstat');
    expect(output).toMatch(/CA 'uroce0'[^]*State: Active[^]*Link layer: Ethernet/);
  });

  it.skipIf(!installed('ibstatus'))('ibstatus', { timeout: patience }, async () => {
    const output = await list('ibstatus');
    expect(output).toMatch(/'uroce0' port 1 status:[^]*state:\s+4: ACTIVE[^]*link_layer:\s+Ethernet/);
  });

  it.skipIf(!installed('rdma'))('rdma link, rdma dev', { timeout: patience }, async () => {
    const link = 'link uroce0/1 state ACTIVE physical_state LINK_UP netdev lo ';
    expect(await list('rdma', 'link')).toBe(`${link}\n`);
    expect(await list('rdma', 'link', 'show', 'uroce0/1')).toBe(`${link}\n`);
    expect(JSON.parse(await list('rdma', '-j', 'link'))).toMatchObject([
      { ifindex: 0, ifname: 'uroce0', port: 1, state: 'ACTIVE', netdev: 'lo' },
    ]);
    const guid = /node_guid:\s+(\S+)/.exec(await list('ibv_devinfo'))?.[1];
    expect(await list('rdma', 'dev')).toContain(`0: uroce0: node_type ca fw 0.1.0 node_guid ${guid} `);
    const { code, output } = await start('rdma', ['resource'], options).finished;
    expect(code).not.toBe(0);
    expect(output).toContain('Operation not supported');
  });

  it.skipIf(!installed('ucx_info'))('ucx_info -d', { timeout: patience }, async () => {
    const output = await list('ucx_info', '-d');
    expect(output).toMatch(/Transport: rc_verbs\n#\s+Device: uroce0:1/);
    expect(output).toMatch(/Transport: ud_verbs\n#\s+Device: uroce0:1/);
  });

  const rspreload = '/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so';
  it.skipIf(!existsSync(rspreload))('warns a program that uses rsockets', { timeout: patience }, async () => {
    const script = `LD_PRELOAD=$LD_PRELOAD:${rspreload} /usr/bin/python3 -c 'import socket; socket.socket()'`;
    expect(await list('sh', '-c', script)).toContain(
      'uroce: rsockets are not provided: rsocket() fails with ENOSYS. This program uses TCP instead.\n',
    );
  });

  it.skipIf(!installed('rstream'))('does not promise TCP to rstream', { timeout: patience }, async () => {
    const { code, output } = await start('rstream', [], options).finished;
    expect(code).not.toBe(0);
    expect(output).toContain('rsocket() fails with ENOSYS. Use verbs, rdma_cm, or TCP sockets.\n');
    expect(output).not.toContain('uses TCP instead');
  });

  it.skipIf(!installed('fi_info'))('fi_info -p verbs', { timeout: patience }, async () => {
    const output = await list('fi_info', '-p', 'verbs');
    for (const type of ['MSG', 'RDM', 'DGRAM']) expect(output).toContain(`type: FI_EP_${type}`);
  });
});
