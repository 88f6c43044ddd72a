/** Every line of the matrix: right output, exit 0 and no hang, as an ordinary user. */
import { describe, expect, it } from 'vitest';
import { cmMatrix, matrix, together, type Line } from './matrix.js';
import {
  cmPair,
  installed,
  nextPort,
  pair,
  start,
  untilBoundInCm,
  type Outcome,
  type PairOutcome,
} from './run.js';

const patience = 300_000;
const programOf = (command: string) => command.split(' ', 1)[0] ?? '';
const programs = [
  ...matrix.map((line) => line.program),
  ...cmMatrix.flatMap((line) => [programOf(line.server), programOf(line.client)]),
];
const missing = [...new Set(programs)].filter((program) => !installed(program));
if (missing.length > 0) {
  console.warn(
    `not installed, their lines are skipped: ${missing.join(', ')} (apt install ibverbs-utils rdmacm-utils perftest)`,
  );
}

/** The last lines of both, because a report of failures shows only a few. */
function ends({ client, server }: PairOutcome): string {
  const end = ({ output }: Outcome) => output.trimEnd().split('\n').slice(-8).join('\n');
  return `client:\n${end(client)}\nserver:\n${end(server)}`;
}

/** The links of the device: sockets of the kernel, or shared memory where both ends have it. */
const LINKS = ['udp', 'auto'];
const over = (link: string) => ({ env: { UROCE_LINK: link }, ordinaryUser: true });

async function check(line: Line, link: string): Promise<void> {
  const { server, client } = await pair(line.program, line.args, {
    ...over(link),
    timeoutMs: patience - 10_000,
  });
  const context = ends({ client, server });
  expect({ server: server.code, client: client.code }, context).toEqual({ server: 0, client: 0 });
  expect(client.output, context).toMatch(line.prints);
  if (line.program.endsWith('_pingpong'))
    expect(server.output, context).toMatch(line.serverPrints ?? line.prints);
}

describe('device lists', () => {
  it('ibv_devices names the device', async () => {
    const { code, output } = await start('ibv_devices', [], { ordinaryUser: true }).finished;
    expect(code).toBe(0);
    expect(output).toMatch(/^\s*uroce0\s+[0-9a-f]{16}$/m);
  });

  it('ibv_devinfo -v shows an active RoCEv2 port with its GIDs', async () => {
    const { code, output } = await start('ibv_devinfo', ['-v'], { ordinaryUser: true }).finished;
    expect(code).toBe(0);
    expect(output).toMatch(/PORT_ACTIVE \(4\)/);
    expect(output).toMatch(/link_layer:\s+Ethernet/);
    expect(output).toMatch(/active_mtu:\s+4096/);
    expect(output).toMatch(/GID\[\s*1\]:\s+::ffff:127\.0\.0\.1, RoCE v2/);
  });
});

describe.each(LINKS)('stock programs, server and client on one address, link %s', (link) => {
  for (const line of matrix) {
    it.skipIf(missing.includes(line.program))(
      `${line.program} ${line.args.join(' ')}`,
      { timeout: patience },
      () => check(line, link),
    );
  }
});

describe.each(LINKS)('programs that meet through the connection manager, link %s', (link) => {
  for (const line of cmMatrix) {
    it.skipIf(missing.includes(programOf(line.server)))(line.client, { timeout: patience }, async () => {
      const { server, client } = await cmPair(line.server.split(' '), line.client.split(' '), {
        ...over(link),
        timeoutMs: patience - 10_000,
        ...(line.ready ? { ready: line.ready } : {}),
      });
      const context = ends({ client, server });
      expect({ server: server.code, client: client.code }, context).toEqual({ server: 0, client: 0 });
      if (line.clientPrints) expect(client.output, context).toMatch(line.clientPrints);
      if (line.serverPrints) expect(server.output, context).toMatch(line.serverPrints);
    });
  }

  it.skipIf(missing.includes('rping'))(
    'rping -P serves several clients, one after another and at once',
    { timeout: patience },
    async () => {
      const port = String(nextPort());
      const options = { ...over(link), timeoutMs: patience - 10_000 };
      const server = start('rping', ['-s', '-P', '-p', port], options);
      await untilBoundInCm(server, Number(port));
      const ping = (count: number) =>
        start('rping', ['-c', '-a', '127.0.0.1', '-p', port, '-v', '-V', '-C', String(count)], options);
      // First one by one, because the server keeps only the newest of requests that come together (rping.c), then all
      // at once.
      const together = [];
      for (let i = 0; i < 3; i += 1) {
        const client = ping(3000);
        await new Promise((resume) => client.child.stdout?.once('data', resume));
        together.push(client.finished);
      }
      const outcomes = [...(await Promise.all(together)), await ping(10).finished];
      server.child.kill();
      await server.finished;
      expect(outcomes.map((outcome) => outcome.code)).toEqual([0, 0, 0, 0]);
    },
  );

  it.skipIf(missing.includes('rping'))(
    'a port without a listener refuses',
    { timeout: patience },
    async () => {
      const { code, output } = await start(
        'rping',
        ['-c', '-a', '127.0.0.1', '-p', String(nextPort()), '-C', '1'],
        { ...over(link) },
      ).finished;
      expect(code).not.toBe(0);
      expect(output).toContain('RDMA_CM_EVENT_REJECTED, error 8');
    },
  );
});

describe.each(LINKS)('several pairs at once, link %s', (link) => {
  it.skipIf(missing.length > 0)('run side by side', { timeout: 2 * patience }, async () => {
    await Promise.all(together.map((line) => check(line, link)));
  });
});

describe('what cannot work says why', () => {
  it('an address that this machine does not have', async () => {
    const { code, output } = await start('ibv_devinfo', [], { env: { UROCE_ADDR: '192.0.2.77' } }).finished;
    expect(code).not.toBe(0);
    expect(output).toContain('no interface of this machine has the address 192.0.2.77');
  });

  it('an interface that does not exist', async () => {
    const { code, output } = await start('ibv_devinfo', [], { env: { UROCE_NETDEV: 'nope9' } }).finished;
    expect(code).not.toBe(0);
    expect(output).toContain("there is no network interface 'nope9'");
  });

  it('a limit on locked memory, in strict mode', async () => {
    if (process.getuid?.() !== 0) return;
    const { code, output } = await start(
      'prlimit',
      ['--memlock=65536', 'ibv_rc_pingpong', '-g', '1', '-s', '1048576'],
      {
        env: { UROCE_STRICT_MEMLOCK: '1' },
        ordinaryUser: true,
      },
    ).finished;
    expect(code).not.toBe(0);
    expect(output).toMatch(/RLIMIT_MEMLOCK.*ulimit -l/s);
  });
});
