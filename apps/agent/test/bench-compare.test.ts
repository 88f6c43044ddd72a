/** `verbslab bench compare`: its verdicts on given figures, its refusals, its ends, and one real comparison. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bulk, type BulkParams } from '@verbslab/labs';
import { AppError, overRounds, type LabContext, type TransportResult } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { DeviceList } from '../src/devices/list.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { verbslab, type Printed } from './helpers/cli.js';
import { device } from './helpers/device.js';
import { aborted } from './helpers/labs.js';

type Context = LabContext<BulkParams>;

const wide = {
  ...device,
  capabilities: ['tap' as const, 'link' as const],
  limits: { ...device.limits, maxQpWr: 16_384, maxCqe: 65_536 },
};

/** An agent whose bulk lab has its own parameters and rules, and measures what the test says. */
async function bench(run: (ctx: Context, nth: number) => void | Promise<void>) {
  const home = newHome();
  let count = 0;
  const lab = {
    ...bulk,
    run: async (ctx: LabContext<never>): Promise<void> => run(ctx, count++),
  };
  const { agent } = await testAgent({
    home,
    labs: [lab],
    devices: new DeviceList(() => Promise.resolve({ devices: [wide], problems: [] })),
  });
  const compare = (...args: string[]): Promise<Printed> => verbslab(home, ['bench', 'compare', ...args]);
  return { agent, home, compare };
}

/** Results of one round of a transport: half of its CPU time is the kernel's. */
const measured = (goodputGbps: number, cpu: number): TransportResult =>
  overRounds(
    [
      {
        ...{ goodputGbps, messagesPerSecond: 1000, bytes: 1e9, messages: 1000, seconds: 1 },
        cpuSecondsPerGB: { app: cpu / 4, nic: cpu / 4, kernel: cpu / 2 },
      },
    ],
    null,
  );

/**
 * Goodput of three rounds: RDMA is above TCP and shared memory overlaps it; with CPU time it is the other way round.
 */
const GOODPUT = { rdma: [10, 12, 11], shm: [5.5, 9, 6.5], tcp: [5, 6, 7] } as const;
const CPU = { rdma: [1, 2, 3], shm: [0.4, 0.2, 0.3], tcp: [1.5, 2.5, 2] } as const;

function given(ctx: Context, nth: number): void {
  for (const transport of ['rdma', 'shm', 'tcp'] as const)
    ctx.transport(transport, {
      ...measured(GOODPUT[transport][nth % 3]!, CPU[transport][nth % 3]!),
      ...(transport === 'tcp' ? {} : { link: transport === 'rdma' ? 'udp' : 'shm' }),
    });
  ctx.check('bytes-equal', true, 'Equal.');
}

/** Six rounds are enough for its four verdicts. */
const ONE_POINT = ['--sizes', '4KiB', '--depths', '8', '--duration', '0.2', '--rounds', '6'];

interface Json {
  command: string;
  state: string;
  runs: number;
  points: {
    size: number;
    depth: number;
    signalEvery: number;
    transports: { transport: string; rounds: unknown[]; goodputGbps: unknown; versusTcp: unknown }[];
  }[];
  problems: string[];
  environment: { role: string; device: string; kernel: string }[];
}

async function plans(agent: Awaited<ReturnType<typeof bench>>['agent']) {
  const { client } = await Recorder.connect(agent);
  return (await client.request('sweep.list', {})).sweeps.map(({ plan }) => plan);
}

describe('the report of a comparison', () => {
  it('has medians with their range, and a ratio only where the ranges do not overlap', async () => {
    const { compare } = await bench(given);
    const { code, out } = await compare(...ONE_POINT);
    expect(code).toBe(0);
    expect(out).toMatch(/RDMA and TCP, side by side {2}done, 6 of 6 runs in /);
    expect(out).toContain('Goodput of RDMA/UDP against TCP, at 1 point: higher at 1 (1.83×).');
    expect(out).toContain('Goodput of RDMA/shm against TCP, at 1 point: no clear difference at 1.');
    expect(out).toContain('CPU time per GB of RDMA/UDP against TCP, at 1 point: no clear difference at 1.');
    expect(out).toContain('CPU time per GB of RDMA/shm against TCP, at 1 point: lower at 1 (0.150×).');
    expect(out).toMatch(/^4 KiB +8 +RDMA\/UDP +11\.0 +10\.0–12\.0 +1\.83× +2\.00 +1\.00–3\.00 +≈ .* 6$/m);
    expect(out).toMatch(/^4 KiB +8 +RDMA\/shm +6\.50 +5\.50–9\.00 +≈ +0\.300 .* 0\.150× .* 6$/m);
    expect(out).toMatch(/^4 KiB +8 +TCP +6\.00 +5\.00–7\.00 +– +2\.00 +1\.50–2\.50 +– .* 6$/m);
  });

  it('is the same in three files, beside the environment, the parameters and the command', async () => {
    const { agent, home, compare } = await bench(given);
    const folder = join(home, 'report');
    const { code, err } = await compare('--sizes', '4KiB,1MiB', '--depths', '1..16*16', '--out', folder);
    expect(code).toBe(0);
    expect(err).toContain(`Wrote ${join(folder, 'report.md')}`);
    const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
    const json = JSON.parse(text('report.json')) as Json;
    expect(json).toMatchObject({ schema: 'verbslab-compare/1', state: 'done', runs: 28, total: 28 });
    expect(json.points.map(({ size, depth, signalEvery }) => [size, depth, signalEvery])).toEqual([
      [4096, 1, 1],
      [4096, 16, 16],
      [1 << 20, 1, 1],
      [1 << 20, 16, 16],
    ]);
    expect(json.environment).toMatchObject([
      { role: 'client', device: 'test0' },
      { role: 'server', device: 'test0' },
    ]);
    const [head, ...lines] = text('report.csv').trimEnd().split('\n');
    expect(head).toMatch(/^size_bytes,depth,signal_every,transport,link,rounds,goodput_gbps,/);
    expect(lines).toHaveLength(12);
    for (const line of lines) expect(line.split(',')).toHaveLength(head!.split(',').length);
    const [first] = json.points[0]!.transports;
    expect(lines[0]).toMatch(/^4096,1,1,rdma,udp,7,/);
    expect(Number(lines[0]!.split(',')[6])).toBe((first!.goodputGbps as { value: number }).value);

    const md = text('report.md');
    expect(md.match(/^\| (4 KiB|1 MiB) \| (1|16) \| (RDMA\/UDP|RDMA\/shm|TCP) \|/gm)).toHaveLength(12);
    expect(md).toContain('- Message size: 4 KiB, 1 MiB\n');
    expect(md).toContain('- Depth: 1, 16 WRs\n');
    expect(md).toMatch(/- Client and server: .*kernel \S+, Verbs Lab .*Device test0/);
    expect(md).toContain(`\`\`\`sh\n${json.command}\n`);
    expect(json.command).toContain(
      " --depths '1..16*16' --transports rdma,shm,tcp --rounds 7 --duration 0.5",
    );

    // The command measures the same again.
    const words = json.command.replaceAll("'", '').split(' ').slice(3);
    expect((await compare(...words)).code).toBe(0);
    const [again, before] = await plans(agent);
    expect(again).toEqual(before);
  });

  it('gives ratios without a verdict where rounds are too few', async () => {
    const { compare } = await bench(given);
    expect((await compare(...ONE_POINT, '--rounds', '4')).out).toContain(
      'Goodput of RDMA/UDP against TCP, at 1 point: 1.91× at 1, in too few rounds for a verdict.',
    );
    const { out } = await compare(...ONE_POINT, '--rounds', '1');
    expect(out).toContain(
      'Goodput of RDMA/UDP against TCP, at 1 point: 2.00× at 1, in too few rounds for a verdict.',
    );
    expect(out).toContain('One round has no range');
    expect(out).not.toContain('min–max is their range');
  });

  it('says that rounds differ widely', async () => {
    const { compare } = await bench((ctx, nth) => {
      given(ctx, nth);
      ctx.transport('tcp', measured([5, 50, 7][nth % 3]!, 1));
    });
    expect((await compare(...ONE_POINT)).out).toContain(
      'Rounds differ widely: RDMA/shm at 4 KiB, depth 8 from 5.50 to 9.00 Gb/s, TCP at 4 KiB, depth 8 from 5.00 to 50.0 Gb/s',
    );
  });

  it('leaves out what could not run, and says why', async () => {
    const { compare } = await bench((ctx, nth) => {
      ctx.transport('rdma', measured(GOODPUT.rdma[nth % 3]!, 1));
      ctx.transport('tcp', measured(GOODPUT.tcp[nth % 3]!, 1));
    });
    const { code, out } = await compare(...ONE_POINT);
    expect(code).toBe(0);
    expect(out).toContain('RDMA/shm was left out. Shared memory needs both ends on one host');
    expect(out).toMatch(/^4 KiB +8 +RDMA\/shm +– .* 0$/m);
  });

  it('ends with 1 where a check or a run failed, and keeps the rest', async () => {
    const { compare } = await bench((ctx, nth) => {
      if (nth === 1) throw new AppError('BAD_HANDLE', { what: 'QP', handle: 2 });
      given(ctx, nth);
      ctx.check('bytes-equal', nth !== 2, 'Byte 7 differs.');
    });
    const { code, out } = await compare(...ONE_POINT);
    expect(code).toBe(1);
    expect(out).toMatch(/^size=4 KiB, round 2: failed\. .*QP/m);
    expect(out).toContain('size=4 KiB, round 3: the check “bytes-equal” failed. Byte 7 differs.');
    expect(out).toMatch(/^4 KiB +8 +TCP +6\.00 +5\.00–7\.00 .* 5$/m);
  });
});

describe('a comparison', () => {
  it('is a sweep of the bulk lab, in the places and with the parameters that were asked for', async () => {
    const { agent, compare } = await bench(given);
    const args = ['--transports', 'tcp,shm', '--from', 'local/test0', '--to', 'test0', '--rounds', '2'];
    const { code } = await compare(
      ...['--sizes', '64B,16MiB', '--depths', '4', '--set', 'operation=read', ...args],
    );
    expect(code).toBe(0);
    expect(await plans(agent)).toEqual([
      {
        lab: 'bulk',
        params: {
          ...{ transport: 'shm-and-tcp', operation: 'read', depth: 4, memory: 16 << 20 },
          ...{ repeat: 1, duration: 0.5, omit: 0.2, capturePackets: 0 },
        },
        endpoints: { client: 'local/test0', server: 'test0' },
        axes: [{ param: 'size', scale: 'list' }],
        points: [
          { size: 64, signalEvery: 4 },
          { size: 16 << 20, signalEvery: 4 },
        ],
        repeat: 2,
      },
    ]);
  });

  it('that Ctrl-C cancels reports what was measured until then, and says so', async () => {
    const { agent, home, compare } = await bench((ctx, nth) => (nth < 2 ? given(ctx, nth) : aborted(ctx)));
    const folder = join(home, 'report');
    const recorder = await Recorder.connect(agent);
    const command = compare('--sizes', '4KiB', '--depths', '1,2,4,8', '--rounds', '1', '--out', folder);
    await recorder.until(
      () =>
        new Set(
          recorder.messages.flatMap((one) =>
            one.type === 'run.changed' && one.run.state === 'running' ? [one.run.id] : [],
          ),
        ).size === 3,
    );
    process.listeners('SIGINT').at(-1)!('SIGINT');
    const { code, out } = await command;
    expect(code).toBe(130);
    expect(out).toMatch(/cancelled, 2 of 4 runs in .* s\. The figures cover these runs only\./);
    expect(out).toMatch(/^4 KiB +2 +TCP +6\.00 /m);
    expect(out).toMatch(/^4 KiB +4 +TCP +– .* 0$/m);
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({
      ...{ state: 'cancelled', runs: 2, total: 4, problems: [] },
    });
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain('cancelled, 2 of 4 runs');
  });

  const range = 'Values go from 64 B to 64 MiB.';
  const wrong: [string, string[], string][] = [
    ['a size that is none', ['--sizes', '4KiX'], range],
    ['a size out of range', ['--sizes', '1GiB'], range],
    ['a depth out of range', ['--depths', '0'], 'Values go from 1 WR to 4,096 WRs.'],
    ['a transport that is none', ['--transports', 'udp,tcp'], 'rdma,shm,tcp'],
    ['a comparison with nothing', ['--transports', 'tcp'], 'rdma,shm,tcp'],
    ['a comparison without TCP', ['--transports', 'rdma,shm'], 'rdma,shm,tcp'],
    ['no rounds', ['--rounds', '0'], 'from 1 to 500'],
    ['too many runs', ['--rounds', '100'], '900 (limit 500)'],
    ['a duration out of range', ['--duration', '100ms'], 'from 0.2 s to 3600 s'],
    ['a duration that is none', ['--duration', 'long'], 'from 0.2 s to 3600 s'],
    ['what has its own option', ['--set', 'depth=3'], 'Use --depths instead.'],
    ['an unknown parameter', ['--set', 'speed=3'], 'speed'],
    ['a wrong parameter', ['--set', 'signalEvery=often'], 'from 1 to 4,096 WRs'],
    ['an unknown host', ['--to', 'nowhere/test0'], 'nowhere'],
    ['an unknown device', ['--from', 'mlx5_7'], 'mlx5_7'],
    ['a folder that cannot be', ['--out', '/proc/report'], '/proc/report'],
    ['a folder in none', ['--out', '/no/such/folder'], '/no/such/folder'],
    ['a file as a folder', ['--out', '/etc/passwd'], 'not a directory'],
  ];
  it.each(wrong)('refuses %s before anything runs', async (_what, args, said) => {
    const { agent, compare } = await bench(given);
    const { code, out, err } = await compare(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(said);
    expect(err.trim().split('\n')).toEqual([
      expect.stringMatching(/^error: \S.*\.$/),
      expect.stringMatching(/^ {2}\S.*\.$/),
    ]);
    expect(await plans(agent)).toEqual([]);
  });

  it('writes over no other report', async () => {
    const { agent, home, compare } = await bench(given);
    const folder = join(home, 'report');
    mkdirSync(folder);
    writeFileSync(join(folder, 'report.csv'), 'mine');
    const { code, err } = await compare('--out', folder);
    expect(code).toBe(2);
    expect(err).toContain(`${join(folder, 'report.csv')} exists already.`);
    expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'report.md'))).toBe(false);
    expect(await plans(agent)).toEqual([]);
  });
});

describe('a comparison on the embedded device', () => {
  it('measures three transports, and every check holds', async () => {
    const { code, out, err } = await verbslab(newHome(), [
      ...['bench', 'compare', '--sizes', '4KiB', '--depths', '1,16', '--rounds', '2', '--duration', '0.2'],
      '--json',
    ]);
    const json = JSON.parse(out) as Json;
    expect([json.problems.filter((text) => !text.startsWith('Rounds differ')), json.runs]).toEqual([[], 4]);
    expect([code, err.includes('error')]).toEqual([0, false]);
    for (const { transports } of json.points) {
      expect(transports.map(({ transport, rounds }) => [transport, rounds.length])).toEqual([
        ['rdma', 2],
        ['shm', 2],
        ['tcp', 2],
      ]);
      for (const { goodputGbps } of transports)
        expect((goodputGbps as { min: number }).min).toBeGreaterThan(0);
    }
  });
});
