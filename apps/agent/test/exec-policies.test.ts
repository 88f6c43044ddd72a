/** Policies of queue pairs as a run records them: two competing senders under DCQCN, and none for the default. */
import { type Faults, type PolicyState, type RunEventOf } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { verbslab } from './helpers/cli.js';
import { exec, installed, nextPort, untilListening } from './helpers/exec.js';

const perftest = installed('ib_send_bw');
const LINE = 10e9;
/** Longer than any test: the run is cancelled. With events, so that four programs leave room on two cores. */
const ENDLESS = ['-F', '-x', '1', '-s', '65536', '-e', '-n', '100000000'];
/** A slow path, for the same reason. */
const PATH: Faults = { shaping: { rateBps: 400_000_000 } };
const DCQCN = ['--congestion', 'dcqcn-nic', '--line-rate', '10', '--faults', 'rate=400mbit'];

const samples = (recorder: Recorder) =>
  recorder.events.filter((e): e is RunEventOf<'policies'> => e.kind === 'policies');

type At = PolicyState & { t: number; endpoint: string };

/** States of all queue pairs, in order. */
const states = (recorder: Recorder): At[] =>
  samples(recorder).flatMap(({ t, endpoint = '', qps }) => qps.map((qp) => ({ ...qp, t, endpoint })));

/** Processes whose queue pairs got CNPs: the senders. */
const senders = (recorder: Recorder): string[] => [
  ...new Set(states(recorder).flatMap(({ endpoint, cnps }) => (cnps > 0 ? [endpoint] : []))),
];

describe.skipIf(!perftest)('policies under verbslab exec', () => {
  it('are series of two competing senders, whose rates fall with CNPs and rise after them', async () => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const recorder = await Recorder.connect(agent);
    const { client } = recorder;
    const at = [nextPort(), nextPort()];
    const command = (port: string) => ['ib_send_bw', ...ENDLESS, '-p', port];
    exec(home, command(at[0]!), DCQCN);
    await recorder.untilMessage('run.changed', ({ run }) => run.lab === 'program');
    const { runs } = await client.request('run.list', {});
    const runId = runs[0]!.id;
    await client.request('run.subscribe', { runId, fromSeq: 1, detail: false });
    const joined = [...DCQCN, '--with', runId];
    exec(home, command(at[1]!), joined);
    for (const port of at) {
      await untilListening(port);
      exec(home, [...command(port), '127.0.0.1'], joined);
    }
    await recorder.until(() => new Set(states(recorder).map(({ endpoint }) => endpoint)).size === 4);
    const first = states(recorder)[0]!;
    expect(first).toMatchObject({ recovery: 'go-back-n', congestion: 'dcqcn-nic', lineRate: LINE });
    // Without marks nothing limits them.
    expect(first.rate).toBeUndefined();
    expect(first.cnps).toBe(0);

    await client.request('run.faults', { runId, faults: { ...PATH, rates: { mark: 0.05, seed: '0x7' } } });
    const of = (endpoint: string) => states(recorder).filter((one) => one.endpoint === endpoint);
    const limited = (endpoint: string) =>
      of(endpoint).filter(({ rate }) => rate !== undefined && rate < LINE);
    await recorder.until(
      () => senders(recorder).length >= 2 && senders(recorder).every((one) => limited(one).length > 2),
    );
    for (const sender of senders(recorder)) {
      const [fallen] = limited(sender);
      expect(fallen!.cnps).toBeGreaterThan(0);
      expect(fallen!.rate).toBeLessThanOrEqual(fallen!.target!);
      expect(fallen!.alphaPpm).toBeGreaterThanOrEqual(0);
    }
    // The marked packets came to the other ends.
    const marked = new Set(states(recorder).flatMap(({ endpoint, marks }) => (marks > 0 ? [endpoint] : [])));
    expect(marked.size).toBeGreaterThanOrEqual(2);

    await client.request('run.faults', { runId, faults: PATH });
    // The line's rate is reached again. An end that no longer sends has no newer state.
    await recorder.until(() => senders(recorder).every((one) => of(one).at(-1)!.rate === undefined));
    for (const sender of senders(recorder)) {
      const lowest = Math.min(...limited(sender).map(({ rate }) => rate!));
      expect(lowest).toBeLessThan(LINE);
    }
    await client.request('run.cancel', { runId });
    await recorder.untilMessage('run.complete');

    const shown = await verbslab(home, ['runs', 'show', runId]);
    expect(shown.out).toMatch(/Policy: DCQCN \(NIC\) on 4 QPs: [\d,]+ CNPs, .*lowest sampled rate/);
    const json = await verbslab(home, ['runs', 'show', runId, '--json']);
    const { policies } = JSON.parse(json.out) as { policies: (PolicyState & { endpoint: string })[] };
    expect(policies).toHaveLength(4);
    expect(policies.every(({ congestion }) => congestion === 'dcqcn-nic')).toBe(true);
  });

  it.skipIf(!installed('ibv_rc_pingpong'))(
    'name the recovery in effect, also of programs that end at once',
    async () => {
      const home = newHome();
      const { agent } = await testAgent({ home });
      const { client } = await Recorder.connect(agent);
      const selective = ['--recovery', 'selective-repeat'];
      for (const [peers, name] of [
        [[], 'selective repeat asked, go-back-N in effect'],
        [selective, 'selective repeat'],
      ] as const) {
        const at = nextPort();
        const command = ['ibv_rc_pingpong', '-g', '1', '-s', '64', '-n', '10', '-p', at];
        const server = exec(home, command, ['--no-agent', ...peers]);
        await untilListening(at);
        const asking = exec(home, [...command, '127.0.0.1'], selective);
        expect((await asking.ended).code).toBe(0);
        await server.ended;
        const { runs } = await client.request('run.list', {});
        const shown = await verbslab(home, ['runs', 'show', runs[0]!.id]);
        expect(shown.out).toContain(`Policy: ${name} on 1 QP: 0 CNPs\n`);
      }
    },
  );

  it('are not recorded where all queue pairs have the default', async () => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const recorder = await Recorder.connect(agent);
    const at = nextPort();
    const command = ['ib_send_bw', '-F', '-x', '1', '-n', '2000', '-p', at];
    exec(home, command, []);
    await recorder.untilMessage('run.changed', ({ run }) => run.lab === 'program');
    const { runs } = await recorder.client.request('run.list', {});
    await recorder.client.request('run.subscribe', { runId: runs[0]!.id, fromSeq: 1, detail: false });
    await untilListening(at);
    const ended = await exec(home, [...command, '127.0.0.1'], ['--with', runs[0]!.id]).ended;
    expect(ended.code, ended.err).toBe(0);
    await recorder.untilMessage('run.complete');
    expect(samples(recorder)).toEqual([]);
    const shown = await verbslab(home, ['runs', 'show', runs[0]!.id]);
    expect(shown.out).not.toContain('Policy:');
  });
});
