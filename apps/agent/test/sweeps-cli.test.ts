import { AppError, type SweepRecord } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { verbslab, type Printed } from './helpers/cli.js';
import { LABS, quick } from './helpers/labs.js';

/** An agent with the labs of the tests, and the command beside it. */
async function bench(options: Parameters<typeof testAgent>[0] = {}) {
  const home = newHome();
  const { agent } = await testAgent({ home, ...options });
  return { agent, command: (...args: string[]): Promise<Printed> => verbslab(home, args) };
}

/** Fails for one value of its parameter. */
const picky = {
  ...quick,
  run: async (ctx: Parameters<typeof quick.run>[0]) => {
    if ((ctx.params as { count: number }).count === 2)
      throw new AppError('BAD_HANDLE', { what: 'QP', handle: 2 });
    await quick.run(ctx);
  },
};
/** Nine tenths of the best goodput come with two. */
const bent = {
  ...quick,
  run: (ctx: Parameters<typeof quick.run>[0]) => {
    const { count } = ctx.params as { count: number };
    ctx.check('counted', true, `${count} notes`);
    ctx.transport('tcp', {
      ...{ goodputGbps: count === 1 ? 1 : 10, messagesPerSecond: 2, latencyUs: null },
      cpuSecondsPerGB: { app: 0.1, nic: null, kernel: 0.2 },
      ...{ bytes: 10, messages: 2, seconds: 1 },
    });
    return Promise.resolve();
  },
};
const WITH_BENT = [bent, ...LABS.filter((one) => one !== quick)];

const WITH_PICKY = [picky, ...LABS.filter((one) => one !== quick)];

describe('verbslab run --sweep', () => {
  it('says how many runs there will be, shows each, and prints the curves', async () => {
    const { command } = await bench();
    const { code, out, err } = await command('run', 'quick', '--sweep', 'count=1..4*2', '--repeat', '2');
    expect(code).toBe(0);
    expect(err).toContain('3 points × 2 repetitions = 6 runs');
    expect(out.match(/^round [12] +count=[124]/gm)).toHaveLength(6);
    expect(out).toMatch(/quick {2}sweep 1 done, 6 of 6 runs/);
    expect(out).toMatch(/^TCP goodput\n +Gb\/s +min–max +n/m);
    expect(out).toMatch(/^count=4 +1\.00 +1\.00–1\.00 +2/m);
    expect(out).not.toContain('knee');
  });

  it('marks the knee, and says what it is', async () => {
    const { command } = await bench({ labs: WITH_BENT });
    const { out } = await command('run', 'quick', '--sweep', 'count=1..4*2', '--repeat', '6');
    expect(out).toMatch(/^count=2 .*← knee/m);
    expect(out).toContain('The knee is the first value that reaches 90 % of the best median.');
  });

  it('prints one JSON object, and nothing else, with --json', async () => {
    const { command } = await bench();
    const { code, out } = await command('run', 'quick', '--sweep', 'count=1,5', '--json');
    const printed = JSON.parse(out) as { sweep: SweepRecord };
    expect(code).toBe(0);
    expect(printed).toMatchObject({
      sweep: { state: 'done', measured: 2, plan: { axes: [{ param: 'count', scale: 'list' }], repeat: 1 } },
      measurements: [{ point: 0 }, { point: 1 }],
    });
    expect(printed).toHaveProperty('curves[0].points[1].n', 1);
  });

  it('ends with 1 when a point failed, and says why', async () => {
    const { command } = await bench({ labs: WITH_PICKY });
    const { code, out } = await command('run', 'quick', '--sweep', 'count=1..3+1');
    expect(code).toBe(1);
    expect(out).toMatch(/^count=2: failed\. \S/m);
    expect(out).toMatch(/^count=2 +– +– +0/m);
  });

  const wrong: [string, string[], string][] = [
    ['no parameter', ['--sweep', '1..4*2'], '“1..4*2” does not name a parameter'],
    ['an unknown parameter', ['--sweep', 'speed=1,2'], 'speed'],
    ['a range without a factor', ['--sweep', 'count=1..4'], '“1..4” has no factor or step'],
    ['no number', ['--sweep', 'count=1,many'], '“many” in “1,many” is not a number'],
    ['a factor of 1', ['--sweep', 'count=1..4*1'], 'needs a factor above 1'],
    ['a value twice', ['--sweep', 'count=2,2'], '“2” occurs twice'],
    ['a parameter twice', ['--sweep', 'count=1,2', '--sweep', 'count=3,4'], 'swept twice'],
    ['too many runs', ['--sweep', 'count=1..300+1', '--repeat', '2'], '600'],
    ['a count that is none', ['--sweep', 'count=1,2', '--repeat', '0'], 'from 1 to 500'],
    ['repetitions of no sweep', ['--repeat', '2'], '--repeat needs a sweep'],
  ];
  it.each(wrong)('refuses %s before anything runs', async (_what, args, said) => {
    const { agent, command } = await bench();
    const { code, out, err } = await command('run', 'quick', ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err.trim().split('\n')).toEqual([
      expect.stringContaining(said),
      expect.stringMatching(/^ {2}\S.*\.$/),
    ]);
    const { client } = await Recorder.connect(agent);
    expect((await client.request('sweep.list', {})).sweeps).toEqual([]);
    expect((await client.request('run.list', {})).runs).toEqual([]);
  });
});

describe('verbslab sweeps', () => {
  it('lists and shows, as text and as JSON', async () => {
    const { command } = await bench();
    expect((await command('sweeps')).out).toContain('There are no sweeps yet.');
    await command('run', 'quick', '--sweep', 'count=1,2');
    expect((await command('sweeps')).out).toMatch(/^ +1 +quick +done +2 of 2 +count +\d{4}-/m);
    expect(JSON.parse((await command('sweeps', '--json')).out)).toMatchObject({
      sweeps: [{ number: 1, state: 'done', measured: 2 }],
    });
    expect((await command('sweeps', 'show', '1')).out).toMatch(/^count=2 +1\.00 +– +1$/m);
    expect(JSON.parse((await command('sweeps', 'show', '1', '--json')).out)).toMatchObject({
      sweep: { number: 1 },
      measurements: [{ state: 'done' }, { state: 'done' }],
    });
  });

  it('pauses, resumes and cancels, each in its state only', async () => {
    const { agent, command } = await bench();
    const recorder = await Recorder.connect(agent);
    await recorder.client.request('sweep.start', {
      ...{ lab: 'endless', params: {}, axes: [{ param: 'count', scale: 'list' }], repeat: 1 },
      points: [{ count: 1 }, { count: 2 }],
    });
    expect((await command('sweeps', 'pause', '1')).out).toMatch(/ paused +/);
    const again = await command('sweeps', 'pause', '1');
    expect(again.code).not.toBe(0);
    expect(again.err).toContain('The sweep is paused, but this needs a sweep that is');
    expect((await command('sweeps', 'resume', '1')).out).toMatch(/ (queued|running) +/);
    expect((await command('sweeps', 'cancel', '1')).out).toMatch(/ cancelled +/);
    expect((await command('sweeps', 'resume', '1')).code).not.toBe(0);
  });

  it('takes the id from the address of the page, and says what all runs share and why a sweep failed', async () => {
    const sized = {
      ...picky,
      description: {
        ...quick.description,
        params: {
          type: 'object',
          properties: { count: { type: 'number' }, size: { type: 'number', unit: 'B' } },
        },
      },
      parse: (input: Readonly<Record<string, unknown>>) => ({ count: Number(input.count), size: input.size }),
    };
    const { agent, command } = await bench({ labs: [sized] });
    const { client } = await Recorder.connect(agent);
    await command('run', 'quick', '--sweep', 'count=2', '--set', 'size=4KiB');
    const { sweeps } = await client.request('sweep.list', {});
    const { out } = await command('sweeps', 'show', sweeps[0]!.id);
    expect(out).toMatch(/sweep 1 failed, 1 of 1 run$/m);
    expect(out).toMatch(/^All runs: size=4KiB$/m);
    // The error is shown for the sweep, with its cure, and for the point.
    expect(out).toMatch(/^The endpoint has no QP with handle 2\. Create it first/m);
    expect(out).toMatch(/^count=2: failed\. The endpoint has no QP with handle 2\.$/m);
    const unknown = await command('sweeps', 'show', 'zzzzzzzzzz');
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining('There is no sweep “zzzzzzzzzz”.'),
    ]);
  });

  it('knows no other number, and takes nothing but a number or an id', async () => {
    const { command } = await bench();
    const unknown = await command('sweeps', 'show', '7');
    expect(unknown.code).not.toBe(0);
    expect(unknown.err).toContain('There is no sweep “7”.');
    expect((await command('sweeps', 'cancel', 'all')).code).toBe(2);
  });
});
