import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { zHealth } from '@verbslab/protocol';
import { urocePath, urocePathsPath } from '@verbslab/native';
import { describe, expect, it, onTestFinished } from 'vitest';
import { homeAt } from '../src/config/home.js';
import { findRunning } from '../src/config/instance.js';
import { StaticSite } from '../src/server/static.js';
import { bin } from './helpers/exec.js';
import { ended, expectSentence, home, spawned, start, testdata, verbslab } from './helpers/installed.js';

const COMMANDS = [
  'up',
  'open',
  'agent',
  'devices',
  'labs',
  'exercises',
  'run',
  'runs',
  'sweeps',
  'bench',
  'peers',
  'exec',
  'decode',
  'doctor',
];

describe('verbslab --help', () => {
  it.each(COMMANDS)('%s teaches with examples', async (command) => {
    const { code, out } = await verbslab([command, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: verbslab ${command}`);
    expect(out).toMatch(new RegExp(`Examples:\\n( {2}.*\\n)* {2}verbslab ${command}`));
  });

  it('names every command', async () => {
    const { code, out } = await verbslab(['--help']);
    expect(code).toBe(0);
    for (const name of COMMANDS) expect(out).toContain(`\n  ${name} `);
  });

  it('says which labs there are, and their parameters', async () => {
    const { out } = await verbslab(['run', '--help']);
    expect(out).toMatch(/bulk \(RDMA and TCP on bulk transfers\): .*\n( {4}.*\n)* {4}duration/);
    expect(out).toContain('minimal-flow (One WRITE, step by step): ');
  });
});

describe('verbslab devices', () => {
  it('names the limits as the field does', async () => {
    const { code, out } = await verbslab(['devices']);
    expect(code).toBe(0);
    expect(out).toMatch(/Max QPs: \d+, max work requests per QP: \d+, max SGEs per work request: \d+/);
    expect(out).toMatch(/Locked-memory limit \(ulimit -l\): \d+ KiB/);
  });
});

describe('output with a reader that stops early', () => {
  it('ends the command without a complaint', async () => {
    const child = start(['run', '--help']);
    child.stdout!.destroy();
    let err = '';
    child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    expect([code, err]).toEqual([0, '']);
  });
});

describe('a command line that is wrong', () => {
  const wrong: string[][] = [
    ['nonsense'],
    ['up', '--prot', '1'],
    ['up', '--port', 'abc'],
    ['up', '--port', '70000'],
    ['up', '--host', '0.0.0.0'],
    ['run'],
    ['run', 'bulk', '--set', 'duration'],
    ['run', 'nope'],
    ['run', 'bulk', '--set', 'speed=1'],
    ['run', 'bulk', '--set', 'duration=soon'],
    ['run', 'bulk', '--set', 'size=1TiB'],
    ['run', 'bulk', '--set', 'size=0'],
    ['run', 'bulk', '--set', 'signalEvery=128'],
    ['run', 'bulk', '--on', 'server'],
    ['run', 'bulk', '--on', 'server=nowhere/uroce0'],
    ['run', 'bulk', '--on', 'third=local/uroce0'],
    ['up', '--listen', '0.0.0.0:0'],
    ['agent', '--listen', '[::1'],
    ['agent', '--advertise', 'host'],
    ['peers', 'frobnicate'],
    ['peers', 'add'],
    ['peers', 'add', 'rubbish'],
    ['peers', 'add', '--file', '/no/such/file'],
    ['peers', 'remove', 'nobody'],
    ['decode'],
    ['decode', '/no/such/file'],
    ['decode', '/etc/passwd'],
    ['decode', '/tmp'],
    ['decode', testdata('rxe-write-8pc-loss.pcap'), '--filter', 'infiniband.bth.opcod == 17'],
    ['decode', testdata('rxe-write-8pc-loss.pcap'), '-Y', 'ip', '-n', '5'],
    ['decode', testdata('rxe-write-8pc-loss.pcap'), '--port', '0'],
    ['decode', testdata('rxe-write-8pc-loss.pcap'), '--port', 'roce'],
    ['decode', '/etc/passwd', '--diagnose'],
    ['doctor', '--explain', 'xyzzy'],
    ['exec'],
    ['exec', '--report', 'xml', '--', 'true'],
  ];
  it.each(wrong.map((args) => [args.join(' '), args] as const))(
    '%s: a sentence, a cure, exit code 2',
    async (_text, args) => {
      const { code, out, err } = await verbslab(args);
      expectSentence(err);
      expect([code, out]).toEqual([2, '']);
    },
  );
});

describe('a limit of open files that is too low', () => {
  it.each([64, 128, 256])('%i: is named at the start, with the cure', async (limit) => {
    const child = spawn('sh', ['-c', `ulimit -n ${limit}; exec "$0" "$1" --version`, process.execPath, bin]);
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expectSentence(err);
    expect(err).toContain(`At most ${limit} files may be open at once`);
  });
});

describe('verbslab doctor', () => {
  it('examines this machine', async () => {
    const { code, out } = await spawned(['doctor', '--json'], { UROCE_ADDR: '127.0.0.37' });
    const { findings, problems } = JSON.parse(out) as {
      findings: { check: string; level: string; text: string }[];
      problems: number;
    };
    expect(findings.find(({ check }) => check === 'embedded')).toMatchObject({ level: 'ok' });
    expect(problems).toBe(findings.filter(({ level }) => level === 'problem').length);
    expect(code).toBe(problems > 0 ? 1 : 0);
  });

  it('says that the address is taken, and by what variable to take another', async () => {
    const socket = createSocket('udp4');
    onTestFinished(() => void socket.close());
    socket.bind(4791, '127.0.0.38');
    await once(socket, 'listening');
    const { code, out } = await spawned(['doctor'], { UROCE_ADDR: '127.0.0.38' });
    expect(code).toBe(1);
    expect(out).toMatch(/✗ uroce0 cannot be used: .*EADDRINUSE.*\n.*UROCE_ADDR=127/);
  });

  it('explains what a program printed', async () => {
    const { code, out } = await verbslab(['doctor', '--explain', ' Did not detect devices \n']);
    expect(code).toBe(0);
    expect(out).toMatch(/ibv_get_device_list was empty/);
  });
});

describe('verbslab agent', () => {
  async function running(
    env: Record<string, string>,
    ...args: string[]
  ): Promise<{ child: ChildProcess; url: string }> {
    const child = start(['agent', '--port', '0', '--log-level', 'silent', ...args], env);
    const [url] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    return { child, url };
  }

  it('prints its address, answers, and goes without a trace on SIGTERM', async () => {
    const VERBSLAB_HOME = home();
    const { child, url } = await running({ VERBSLAB_HOME });
    const health = zHealth.parse(await (await fetch(`${url}/api/health`)).json());
    expect(health.pid).toBe(child.pid);
    expect(await findRunning(homeAt(VERBSLAB_HOME))).toMatchObject({ pid: child.pid });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(existsSync(homeAt(VERBSLAB_HOME).state)).toBe(false);
  });

  it('says so when its port is taken, and when an agent runs already', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void squatter.close());
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const taken = await spawned(['agent', '--port', String(port), '--log-level', 'silent']);
    expect(taken.code).toBe(1);
    expect(taken.err).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expectSentence(taken.err);
    const VERBSLAB_HOME = home();
    const { child } = await running({ VERBSLAB_HOME });
    const second = await spawned(['agent', '--port', '0', '--log-level', 'silent'], { VERBSLAB_HOME });
    expect(second.code).toBe(1);
    expectSentence(second.err);
    expect(second.err).toContain(String(child.pid));
    if (!new StaticSite().present) return;
    const up = await spawned(['up', '--no-open'], { VERBSLAB_HOME });
    expect(up.code).toBe(0);
    expect(up.out).toMatch(/already running.*\nhttp:\/\/127\.0\.0\.1:\d+\/\?code=\S{32}\n/);
  });
});

describe('verbslab exec', () => {
  it('prints the path of its library, and asks for a program otherwise', async () => {
    const { code, out } = await spawned(['exec', '--print-lib']);
    expect(code).toBe(0);
    expect(existsSync(out.trim())).toBe(true);
    expect(out).toMatch(/^\/.*liburoce\.so\n$/);
    const none = await spawned(['exec']);
    expect(none.code).toBe(2);
    expectSentence(none.err);
  });

  it('finds no program that is not there', async () => {
    const { code, err } = await spawned(['exec', '--', 'no-such-program-at-all']);
    expect(code).toBe(2);
    expectSentence(err);
  });

  it('passes arguments, environment, exit code and signal through', async () => {
    const script = 'echo "$1|$LD_PRELOAD|$UROCE_PCAP|$UROCE_ADDR|$UROCE_STRICT_MEMLOCK"; exit 7';
    const plain = await spawned([
      'exec',
      '--pcap',
      '/tmp/x.pcapng',
      '--addr=127.0.0.9',
      '--strict-memlock',
      '--',
      'sh',
      '-c',
      script,
      'sh',
      '--help',
    ]);
    expect(plain.code).toBe(7);
    expect(plain.out).toBe(`--help|${urocePathsPath}:${urocePath}|/tmp/x.pcapng|127.0.0.9|1\n`);
    const policy = ['--recovery', 'go-back-0', '--congestion', 'dcqcn-nic', '--line-rate', '25'];
    const variables = 'echo "$UROCE_RECOVERY|$UROCE_CONGESTION|$UROCE_LINE_RATE"';
    const chosen = await spawned(['exec', ...policy, '--', 'sh', '-c', variables]);
    expect(chosen.out).toBe('go-back-0|dcqcn-nic|25\n');
    const acks = ['--ack-every', '4', '--ack-delay', '0', '--', 'sh', '-c'];
    const cadence = await spawned(['exec', ...acks, 'echo "$UROCE_ACK_EVERY|$UROCE_ACK_DELAY"']);
    expect(cadence.out).toBe('4|0\n');
    const unknown = await spawned(['exec', '--congestion', 'bbr', '--', 'true']);
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('dcqcn-paper');
    const killed = await spawned(['exec', '--', 'sh', '-c', 'kill -TERM $$']);
    expect(killed.signal ?? killed.code).toBe(killed.signal ? 'SIGTERM' : 143);
  });

  it('asks the device for its report', async () => {
    const asked = ['exec', '--report', 'json', '--', 'sh', '-c', 'echo $UROCE_REPORT'];
    expect((await spawned(asked)).out).toBe('json\n');
    expect((await spawned(asked.filter((word) => word !== 'json'))).out).toBe('text\n');
  });

  it('passes a signal on to the program', async () => {
    const child = start([
      'exec',
      '--',
      'sh',
      '-c',
      'trap "echo got it; exit 3" TERM; echo ready; while :; do sleep 0.05; done',
    ]);
    const result = ended(child);
    await once(child.stdout!, 'data');
    child.kill('SIGTERM');
    expect(await result).toMatchObject({ code: 3, out: expect.stringContaining('got it') as string });
  });
});

describe('verbslab runs', () => {
  it('lists what was run, with its state and its problems', async () => {
    const mine = { VERBSLAB_HOME: home(), UROCE_ADDR: '127.0.0.81' };
    expect((await spawned(['runs'], mine)).out).toContain('There are no runs yet.');
    expect((await spawned(['run', 'minimal-flow'], mine)).code).toBe(0);
    const { code, out } = await spawned(['runs', '--json'], mine);
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { runs: [{ number: 1, lab: 'minimal-flow', state: 'done', result: { problems: 0 } }], more: false },
    ]);
    expect((await spawned(['runs', '--lab', 'minimal-flow'], mine)).out).toMatch(
      /One WRITE, step by step +done +\d{4}-/,
    );
    expect((await spawned(['runs', '--limit', '0'], mine)).code).toBe(2);
  });
});

/** A file that holds a join string. */
function joinFile(text: string): string {
  const path = join(home(), 'join');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

describe('verbslab peers', () => {
  it('pairs, lists, checks the path, runs across, and removes', async () => {
    const theirs = { VERBSLAB_HOME: home(), UROCE_ADDR: '127.0.0.76' };
    const other = start(['agent', '--port', '0', '--log-level', 'silent'], theirs);
    await once(createInterface({ input: other.stdout! }), 'line');
    const join = joinFile((await spawned(['peers', 'invite'], theirs)).out);
    const mine = { VERBSLAB_HOME: home(), UROCE_ADDR: '127.0.0.77' };
    const asked = async (...args: string[]): Promise<unknown> => {
      const { code, out, err } = await spawned([...args, '--json'], mine);
      expect([args.join(' ').slice(0, 20), code, err]).toEqual([args.join(' ').slice(0, 20), 0, '']);
      return JSON.parse(out);
    };
    const device = { name: 'uroce0', providerClass: 'user-space' };
    const peer = { name: 'b', state: 'up', tls: true, devices: [expect.objectContaining(device)] };
    expect(await asked('peers', 'add', '--file', join, '--name', 'b')).toMatchObject(peer);
    expect(await asked('peers', 'list')).toMatchObject({ peers: [peer] });
    expect(await asked('peers', 'check', 'b')).toMatchObject({ to: 'b/uroce0', ok: true });
    expect(await asked('run', 'minimal-flow', '--on', 'server=b')).toMatchObject({
      state: 'done',
      endpoints: [
        { role: 'client', host: 'local' },
        { role: 'server', host: 'b' },
      ],
    });
    expect(await asked('peers', 'remove', 'b')).toEqual({ removed: 'b' });
    expect(await asked('peers', 'list')).toEqual({ peers: [] });
  });
});
