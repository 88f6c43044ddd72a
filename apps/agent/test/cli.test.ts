import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { zHealth } from '@verbslab/protocol';
import { urocePath, urocePathsPath } from '@verbslab/native';
import { readCapture, writePcap, type Diagnosis } from '@verbslab/roce';
import { describe, expect, it, onTestFinished } from 'vitest';
import { homeAt } from '../src/config/home.js';
import { findRunning } from '../src/config/instance.js';
import { StaticSite } from '../src/server/static.js';
import { verbslab as inProcess, type Printed } from './helpers/cli.js';

/** The installed form of the command: needs the build that `npm test` makes first. */
const program = fileURLToPath(new URL('../bin/verbslab.js', import.meta.url));
const testdata = (name: string): string =>
  fileURLToPath(new URL(`../../../testdata/${name}`, import.meta.url));

interface Ended {
  code: number | null;
  signal: string | null;
  out: string;
  err: string;
}

function home(): string {
  const path = mkdtempSync(joinPath(tmpdir(), 'verbslab-cli-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A file that holds a join string. */
function joinFile(join: string): string {
  const path = joinPath(home(), 'join');
  writeFileSync(path, join, { mode: 0o600 });
  return path;
}

function start(args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: env.VERBSLAB_HOME ?? home(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function ended(child: ChildProcess): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout!.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, out, err };
}

const spawned = (args: string[], env?: Record<string, string>): Promise<Ended> => ended(start(args, env));

/** Runs a command in this process, which works for commands that end by themselves. */
const verbslab = (args: string[]): Promise<Printed> => inProcess(home(), args);

/** Expects error output of two lines: a sentence that says what is wrong, and one that says what to do. */
function expectSentence(err: string): void {
  const lines = err.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^error: \S.*[.)]$/);
  expect(lines[1]).toMatch(/^ {2}\S.*[.?]$/);
}

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

describe('verbslab decode', () => {
  it.each([
    ['rxe-verbs-and-cm.pcap', 526],
    ['rxe-write-8pc-loss.pcap', 968],
  ])('%s: every packet, no wrong ICRC', async (name, packets) => {
    const list = await verbslab(['decode', testdata(name)]);
    expect(list.code).toBe(0);
    expect(list.out).toMatch(new RegExp(`${packets} packets, \\d+ RoCEv2, 0 with a wrong ICRC, 0 malformed`));
    const json = await verbslab(['decode', testdata(name), '--json']);
    const decoded = JSON.parse(json.out) as {
      packets: { number: number; icrc?: { status: string }; layers: { name: string }[] }[];
    };
    expect(decoded.packets).toHaveLength(packets);
    const roce = decoded.packets.filter(({ icrc }) => icrc);
    expect(roce.length).toBeGreaterThan(100);
    expect(roce.every(({ icrc }) => icrc!.status.startsWith('ok'))).toBe(true);
    expect(roce[0]!.layers.map((layer) => layer.name)).toContain('infiniband.bth');
  });

  it('shows one packet field by field', async () => {
    const { out, code } = await verbslab(['decode', testdata('rxe-write-8pc-loss.pcap'), '-n', '5']);
    expect(code).toBe(0);
    expect(out).toMatch(/Packet sequence number +8910376 .*infiniband\.bth\.psn/);
    const beyond = await verbslab(['decode', testdata('rxe-write-8pc-loss.pcap'), '-n', '5000']);
    expect(beyond.code).toBe(2);
    expectSentence(beyond.err);
  });

  it('lists the packets that pass a filter, with their numbers in the file', async () => {
    const file = testdata('rxe-verbs-and-cm.pcap');
    const filter = 'infiniband.mad.attributeid in {0x10, 0x13}';
    const list = await verbslab(['decode', file, '--filter', filter]);
    expect(list.code).toBe(0);
    expect(list.out).toContain('8 of 526 packets match the filter, 8 RoCEv2');
    const json = await verbslab(['decode', file, '--json', '-Y', filter]);
    const { packets } = JSON.parse(json.out) as { packets: { number: number }[] };
    expect(packets.map(({ number }) => number)).toEqual(
      [...list.out.matchAll(/^ *(\d+) +\d+\.\d+ .*RoCEv2/gm)].map((m) => Number(m[1])),
    );
    expect(packets).toHaveLength(8);
    const none = await verbslab(['decode', file, '--json', '-Y', 'frame.len > 100000']);
    expect((JSON.parse(none.out) as { packets: unknown[] }).packets).toEqual([]);
  });

  it('diagnoses a capture: findings by severity with packets, and the connections', async () => {
    const loss = await verbslab(['decode', testdata('rxe-write-8pc-loss.pcap'), '--diagnose']);
    expect(loss.code).toBe(0);
    expect(loss.out).toContain('0 errors, 5 warnings, 4 notes');
    expect(loss.out).toMatch(/^warning {2}10\.9\.0\.1 QP 0x00001f answered .* 8 NAKs: PSN sequence error\./m);
    expect(loss.out).toContain('packets 16, 109, 145, 394, 524, 645, 702, 858\n');
    expect(loss.out.indexOf('warning')).toBeLessThan(loss.out.indexOf('note  '));
    expect(loss.out).toMatch(/^10\.9\.0\.2 0x00001f +10\.9\.0\.1 0x00001f +RC +PSNs +1024 +953 +240640 /m);

    const clean = await verbslab(['decode', testdata('rxe-verbs-and-cm.pcap'), '--diagnose']);
    expect(clean.out).toContain('Nothing unusual found.\nChecked: ICRC errors, ');
    const json = await verbslab(['decode', testdata('rxe-verbs-and-cm.pcap'), '--diagnose', '--json']);
    const { findings, connections, packets } = JSON.parse(json.out) as Diagnosis;
    expect(packets).toBe(526);
    expect(connections).toHaveLength(16);
    expect(findings.every(({ severity }) => severity === 'note')).toBe(true);
  });

  it('diagnoses a cut file up to the cut, and says where that is', async () => {
    const path = joinPath(home(), 'cut.pcap');
    writeFileSync(path, readFileSync(testdata('rxe-write-8pc-loss.pcap')).subarray(0, 500_000));
    const { code, out } = await verbslab(['decode', path, '--diagnose']);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^The file is damaged at byte 49\d{4}, after packet (\d+): the file ends inside packet \d+ .* What comes before it is diagnosed\.$/m,
    );
    expect(out).toContain('retransmission-nak');
  });

  it('reads a capture that is compressed with gzip, and one from standard input', async () => {
    const path = joinPath(home(), 'loss.pcap.gz');
    const packed = gzipSync(readFileSync(testdata('rxe-write-8pc-loss.pcap')));
    writeFileSync(path, packed);
    const expected = await verbslab(['decode', testdata('rxe-write-8pc-loss.pcap')]);
    expect(await verbslab(['decode', path])).toEqual(expected);
    const piped = spawnSync(process.execPath, [program, 'decode', '-', '--diagnose'], {
      input: packed,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', VERBSLAB_HOME: home() },
    });
    expect(piped.status).toBe(0);
    expect(piped.stdout).toContain('standard input  pcap, 968 packets');

    writeFileSync(path, packed.subarray(0, packed.length / 2));
    const cut = await verbslab(['decode', path, '--diagnose']);
    expect(cut.code).toBe(1);
    expect(cut.out).toMatch(/the gzip data breaks off here \(unexpected end of file\)/);
    expect(cut.out).toContain('retransmission-nak');
  });

  it('reads gzip data of several members whole, and says what follows them', async () => {
    const path = joinPath(home(), 'members.pcap.gz');
    const file = readFileSync(testdata('rxe-write-8pc-loss.pcap'));
    const members = [0, 1, 2].map((k) =>
      gzipSync(file.subarray((k * file.length) / 3, ((k + 1) * file.length) / 3)),
    );
    writeFileSync(path, Buffer.concat([...members, Buffer.alloc(512)]));
    const whole = await verbslab(['decode', path]);
    expect(whole.code).toBe(0);
    expect(whole.out).toBe((await verbslab(['decode', testdata('rxe-write-8pc-loss.pcap')])).out);
    writeFileSync(path, Buffer.concat([...members, Buffer.from('garbage')]));
    const { out, code } = await verbslab(['decode', path, '--diagnose']);
    expect(code).toBe(1);
    expect(out).toContain('pcap, 968 packets');
    expect(out).toMatch(/the gzip data breaks off here \(.*what follows is no gzip data\)/);
  });

  it('refuses gzip data that unpacks to more than it can hold', async () => {
    const path = joinPath(home(), 'bomb.pcap.gz');
    // The members follow one another: 1.25 GiB of zeros in 1.2 MiB.
    const member = gzipSync(Buffer.alloc(1 << 26));
    writeFileSync(path, Buffer.concat(Array.from({ length: 20 }, () => member)));
    const { code, err } = await verbslab(['decode', path]);
    expect(code).toBe(2);
    expect(err).toContain('it unpacks to more than 1 GiB');
  });

  it('diagnoses only the packets that pass a filter, and says so', async () => {
    const file = testdata('rxe-write-8pc-loss.pcap');
    const { out, code } = await verbslab(['decode', file, '--diagnose', '-Y', 'frame.number in {3..599}']);
    expect(code).toBe(0);
    expect(out).toContain('Only the 597 of 968 packets that match the filter are diagnosed');
    // The numbers stay those of the file.
    expect(out).toContain('packets 16, 109, 145, 394, 524\n');
    const json = await verbslab(['decode', file, '--diagnose', '--json', '-Y', 'ip.src == 1.2.3.4']);
    expect(JSON.parse(json.out)).toMatchObject({
      filter: 'ip.src == 1.2.3.4',
      packetsInFile: 968,
      packets: 0,
    });
  });

  it('reads RoCE on another UDP port if it is told', async () => {
    const path = joinPath(home(), 'port.pcap');
    const { records } = readCapture(new Uint8Array(readFileSync(testdata('rxe-write-8pc-loss.pcap'))));
    const moved = records.slice(0, 20).map((record) => {
      const data = record.data.slice();
      data.set([0x12, 0xb8], 36);
      return { ...record, data };
    });
    writeFileSync(path, writePcap(1, moved));
    const none = await verbslab(['decode', path, '--diagnose']);
    expect(none.out).toContain('No RoCE packet in 20: nothing was diagnosed.');
    expect(none.out).not.toContain('Nothing unusual');
    expect((await verbslab(['decode', path, '--port', '1021,4792'])).out).toContain('20 packets, 20 RoCEv2');
    const filtered = await verbslab(['decode', path, '--port', '4792', '-Y', 'infiniband']);
    expect(filtered.out).toContain('20 of 20 packets match the filter, 20 RoCEv2');
  });

  it('refuses a file of a link type that it does not read, once', async () => {
    const path = joinPath(home(), 'radio.pcap');
    writeFileSync(path, writePcap(127, [{ timeNs: 0n, data: new Uint8Array(60) }]));
    for (const more of [[], ['--diagnose'], ['--json']]) {
      const { code, out, err } = await verbslab(['decode', path, ...more]);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('its link type 127 (IEEE 802.11 radiotap) is not supported');
    }
  });

  it('prints lengths as Wireshark does', async () => {
    const { out } = await verbslab(['decode', testdata('rxe-verbs-and-cm.pcap'), '--json', '-Y', 'tcp']);
    const { packets } = JSON.parse(out) as { packets: { layers: { fields: Record<string, number> }[] }[] };
    const fields = Object.assign({}, ...packets[0]!.layers.map((layer) => layer.fields)) as Record<
      string,
      number
    >;
    expect(fields['ip.hdr_len']).toBe(20);
    expect(fields['tcp.hdr_len']).toBe(40);
  });

  it('says where a filter is wrong, and what to write', async () => {
    const { code, err } = await verbslab(['decode', '/dev/null', '-Y', 'ip && infiniband.bth.opcod == 17']);
    expect(code).toBe(2);
    expect(err).toContain('at character 7: `infiniband.bth.opcod` is not a field.');
    expect(err).toContain('Did you mean `infiniband.bth.opcode`?');
  });
});

describe('a limit of open files that is too low', () => {
  it.each([64, 128, 256])('%i: is named at the start, with the cure', async (limit) => {
    const child = spawn('sh', [
      '-c',
      `ulimit -n ${limit}; exec "$0" "$1" --version`,
      process.execPath,
      program,
    ]);
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
