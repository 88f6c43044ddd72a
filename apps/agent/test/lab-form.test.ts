/** A lab with three endpoints, a table, a curve, predictions and variations, through the agent and the command. */
import { defineLab, type Lab } from '@verbslab/labs';
import type { RunResult } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startAgent, type Agent } from '../src/agent.js';
import { spawnEndpoint } from '../src/endpoint/index.js';
import { createLogger } from '../src/base/log.js';
import example from '../../../packages/labs/test/example/index.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { verbslab, type Printed } from './helpers/cli.js';
import { ownAddress } from './helpers/own-address.js';

ownAddress('127.0.0.91');

const form = {
  title: 'A lab',
  question: 'Does it?',
  summary: 'For tests.',
  short: 'A lab',
  why: 'For tests.',
  buildsOn: [],
  picture: { sample: 'write' as const, focus: ['wire'] },
  track: 'memory',
  minutes: 1,
  params: z.object({}),
  watch: [],
  results: { figures: [{ name: 'found', label: 'Found', unit: 'pages' }] },
};

/** Process id of the endpoint that was opened last. */
let victim = 0;

/** A lab that kills an endpoint after the first figure. */
const vanishing = defineLab({
  ...form,
  id: 'vanishing',
  roles: [{ name: 'worker', title: 'Worker', count: 2 }],
  checks: [],
  run: async (ctx) => {
    ctx.figure('found', 7);
    process.kill(victim, 'SIGKILL');
    await new Promise(() => undefined);
  },
});

const failing = defineLab({
  ...form,
  id: 'failing',
  roles: [],
  checks: [{ id: 'holds', text: 'It holds.' }],
  run: (ctx) => {
    ctx.figure('found', null);
    ctx.check('holds', false, 'It does not.');
    return Promise.resolve();
  },
});

async function realAgent(): Promise<{ agent: Agent; run: (...args: string[]) => Promise<Printed> }> {
  const home = newHome();
  const agent = await startAgent({
    home,
    port: 0,
    labs: [example, vanishing, failing] as Lab[],
    spawn: async (options) => {
      const endpoint = await spawnEndpoint(options);
      victim = endpoint.pid;
      return endpoint;
    },
    logger: createLogger('silent'),
  });
  onTestFinished(() => agent.close());
  return { agent, run: (...args) => verbslab(home, args) };
}

describe('a lab with results of its own', () => {
  it('runs on as many endpoints as a parameter says, and its results are kept', async () => {
    const { run } = await realAgent();
    const { code, out } = await run(
      ...['run', 'example', '--json', '--set', 'largest=64KiB'],
      ...['--predict', 'longest=50', '--predict', 'slower=largest'],
    );
    expect(code).toBe(0);
    const { endpoints, results, parameters } = JSON.parse(out) as RunResult;
    expect(endpoints?.map(({ role }) => role)).toEqual(['worker-1', 'worker-2', 'worker-3']);
    expect(parameters).toEqual({ workers: 3, largest: 65_536 });
    expect(results?.predicted).toEqual({ longest: 50, slower: 'largest' });
    expect(results?.tables.regions).toHaveLength(9);
    expect(results?.curves.cost?.map(({ x, series }) => [x, series]).slice(0, 4)).toEqual([
      [4096, 'first'],
      [16_384, 'first'],
      [65_536, 'first'],
      [4096, 'others'],
    ]);
    const times = results!.tables.regions!.map(({ time }) => Number(time));
    expect(results?.figures.longest).toEqual({ value: Math.max(...times), n: 9 });
    expect(results?.outcomes.slower).toMatch(/smallest|largest|between/);

    const { out: shown } = await run('runs', 'show', '1');
    expect(shown).toMatch(/Longest registration +[\d.,]+ +µs +n = 9/);
    expect(shown).toMatch(/Registrations\nWorker +Size +Time\n +µs\nworker-1 +4.KiB +[\d.,]+\n/);
    expect(shown).toMatch(/Time of one registration\n\s*Size +First worker +Other workers\n/);
    expect(shown).toMatch(
      /How long does the longest registration take\?\n {2}predicted 50.µs, measured [\d.,]+.µs\. .+\./,
    );
    expect((await run('runs')).out).toMatch(/Results\n.*Longest registration: [\d.,]+.µs/);
  });

  it('starts from a variation, which parameters go before', async () => {
    const { run } = await realAgent();
    const alone = await run('run', 'example', '--variation', 'alone', '--set', 'largest=4KiB', '--json');
    expect((JSON.parse(alone.out) as RunResult).parameters).toEqual({ workers: 1, largest: 4096 });
    const both = await run('run', 'example', '--variation', 'alone', '--set', 'workers=2', '--json');
    expect((JSON.parse(both.out) as RunResult).endpoints).toHaveLength(2);
    const none = await run('run', 'example', '--variation', 'nothing');
    expect(none).toMatchObject({ code: 2 });
    expect(none.err).toContain('The lab “example” has no variation “nothing”.\n  Choose among: alone.');
  });

  it('has places by role and by endpoint', async () => {
    const { run } = await realAgent();
    const placed = await run(
      ...['run', 'example', '--json', '--set', 'largest=4KiB'],
      ...['--on', 'worker=local/uroce0', '--on', 'worker-3=local/uroce0'],
    );
    expect(placed.code).toBe(0);
    const beyond = await run('run', 'example', '--on', 'worker-4=local/uroce0');
    expect(beyond).toMatchObject({ code: 2 });
    expect(beyond.err).toContain('Choose among: worker, worker-1, worker-2, worker-3.');
  });

  it.each([
    ['range=3', 'asks for no prediction “range”'],
    ['slower=never', 'The prediction “slower” does not fit'],
    ['longest=soon', 'The prediction “longest” does not fit'],
  ])('refuses the prediction %s', async (prediction, message) => {
    const { run } = await realAgent();
    const { code, err } = await run('run', 'example', '--predict', prediction);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('refuses a parameter outside of its range, and names the range', async () => {
    const { run } = await realAgent();
    const { code, err } = await run('run', 'example', '--set', 'workers=9');
    expect(code).toBe(2);
    expect(err).toContain('from 1 to 8');
  });

  it('keeps its results when an endpoint vanishes', async () => {
    const { run, agent } = await realAgent();
    const { code, out } = await run('run', 'vanishing');
    expect(code).toBe(1);
    expect(out).toMatch(/Found +7 +pages/);
    expect(out).toContain('Partial results: they cover the run until it failed');
    const [record] = agent.manager.list({ limit: 1 }).runs;
    expect(record).toMatchObject({ state: 'failed', error: { code: 'ENDPOINT_DIED' } });
    expect(record?.result?.results?.figures).toEqual({ found: { value: 7 } });
  });

  it('ends with status 1 when a check fails', async () => {
    const { run } = await realAgent();
    const { code, out } = await run('run', 'failing');
    expect(code).toBe(1);
    expect(out).toMatch(/Found +–/);
  });

  it('names the missing capability before it runs', async () => {
    const { agent } = await testAgent();
    const { err, code } = await verbslab(agent.home.path, ['run', 'needy']);
    expect(code).toBe(2);
    expect(err).toContain('The lab “needy” needs fault injection, which test0 does not offer.');
    expect(agent.manager.list({ limit: 1 }).total).toBe(0);
  });

  it('streams its results as events', async () => {
    const { agent } = await realAgent();
    const recorder = await Recorder.connect(agent);
    await recorder.start('example', { workers: 1, largest: 4096 });
    await recorder.untilMessage('run.complete');
    const kinds = recorder.events
      .map(({ kind }) => kind)
      .filter((kind) => /^(figure|row|point|outcome)$/.test(kind));
    expect(kinds).toEqual(['row', 'point', 'figure', 'outcome']);
  });
});

describe('verbslab labs', () => {
  it('lists the catalog by track', async () => {
    const { out, code } = await verbslab(newHome(), ['labs']);
    expect(code).toBe(0);
    expect(out).toMatch(/Foundations\n(?: .*\n)*? +minimal-flow +\d+ min +How does one RDMA WRITE work/);
    expect(out).toMatch(/RDMA versus sockets\n(?: .*\n)*? +bulk +\d+ min +How does RDMA compare/);
  });

  it('describes one lab', async () => {
    const { out } = await verbslab(newHome(), ['labs', 'bulk']);
    expect(out).toMatch(/Parameters\n +transport/);
    expect(out).toMatch(/Endpoints\n +client +Starts every operation/);
    expect((await verbslab(newHome(), ['labs', 'nonsense'])).code).toBe(2);
  });

  it('lists the topics, and where each is found', async () => {
    const { out, code } = await verbslab(newHome(), ['labs', '--coverage']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /✓ A8 {2}A cache of memory regions\n +✓ .*36 hits +mr-cache \(checks counted, expected;/,
    );
    expect(out).toMatch(/– B4 {2}The programs of rdma-core/);
    expect(out).toMatch(/43 topics: \d+ covered, \d+ partly covered, \d+ open\.\n$/);
    const { out: data } = await verbslab(newHome(), ['labs', 'mr-cache', '--coverage', '--json']);
    expect(JSON.parse(data)).toMatchObject({
      topics: [
        { id: 'A8', state: 'covered', labs: ['mr-cache'] },
        { id: 'A11', state: 'covered' },
      ],
    });
  });

  it('prints the descriptions', async () => {
    const { out } = await verbslab(newHome(), ['labs', '--json']);
    const { labs } = JSON.parse(out) as { labs: { id: string }[] };
    expect(labs.map(({ id }) => id)).toEqual(expect.arrayContaining(['minimal-flow', 'bulk']));
  });
});
