/** Faults in the packets of stock programs under `verbslab exec`, while they run and from their first packet on. */
import { type Faults, type RunEventOf } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { injectedIntoProgram } from '../src/cli/planned-faults.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { exec, installed, nextPort, untilListening } from './helpers/exec.js';

const rdma = installed('ibv_rc_pingpong');
const SEED = '0x7';
const LOSS: Faults = { rates: { drop: 0.02, mark: 0.1, seed: SEED } };
/** Harmless faults: packets are duplicated, and none is lost. */
const EARLY: Faults = { rates: { duplicate: 0.001, seed: SEED } };
/** Number of messages that no test can exchange in its time: the program is cancelled. */
const ENDLESS = '100000000';

const faultsOf = (recorder: Recorder) =>
  recorder.events.filter((e): e is RunEventOf<'faults'> => e.kind === 'faults');

/** Rounds of a device's counters that have come so far. */
const counters = (recorder: Recorder, when = 'sample') =>
  recorder.events.filter((e): e is RunEventOf<'counter'> => e.kind === 'counter' && e.when === when);

const timeouts = ({ values }: RunEventOf<'counter'>): number => values.local_ack_timeout_err ?? 0;

describe.skipIf(!rdma)('faults under verbslab exec', () => {
  it.each(['udp', 'auto'])('begin and end while the program runs on (%s)', async (link) => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const recorder = await Recorder.connect(agent);
    const { client } = recorder;
    const at = nextPort();
    const command = ['ibv_rc_pingpong', '-g', '1', '-s', '64', '-n', ENDLESS, '-p', at];
    exec(home, command, ['--link', link]);
    await recorder.untilMessage('run.changed', ({ run }) => run.lab === 'program');
    const { runs } = await client.request('run.list', {});
    const runId = runs[0]!.id;
    await client.request('run.subscribe', { runId, fromSeq: 1 });
    await untilListening(at);
    await recorder.until(() => recorder.events.some(({ kind }) => kind === 'endpoint'));
    await client.request('run.faults', { runId, faults: EARLY });
    exec(home, [...command, '127.0.0.1'], ['--link', link, '--with', runId]);
    // Faults for all processes also apply to a later command.
    await recorder.until(() => faultsOf(recorder).length === 2);
    expect(new Set(faultsOf(recorder).map(({ endpoint }) => endpoint)).size).toBe(2);
    await recorder.until(() => new Set(counters(recorder).map(({ endpoint }) => endpoint)).size === 2);
    // Timeouts before the faults: none, unless a busy machine holds a process for longer than the ACK timeout.
    const before = Math.max(...counters(recorder).map(timeouts));

    const { endpoints } = await client.request('run.faults', { runId, faults: LOSS });
    expect(endpoints).toHaveLength(2);
    await recorder.until(() => counters(recorder).some((event) => timeouts(event) > before + 2));
    // Counters of marks that arrived, of CNPs sent for them, and of CNPs handled.
    for (const name of ['np_ecn_marked_roce_packets', 'np_cnp_sent', 'rp_cnp_handled'])
      await recorder.until(() => counters(recorder).some(({ values }) => (values[name] ?? 0) > 0));
    const begun = faultsOf(recorder).slice(2);
    expect(begun.map(({ endpoint }) => endpoint).toSorted()).toEqual(endpoints.toSorted());
    expect(begun[0]).toMatchObject(LOSS);

    await client.request('run.faults', { runId, endpoint: endpoints[0]!, faults: {} });
    await client.request('run.faults', { runId, endpoint: endpoints[1]!, faults: {} });
    const off = faultsOf(recorder).at(-1)!.t;
    // A packet that was lost just before is sent again within this round or the next; on a busy machine one may be
    // late.
    const settled = () =>
      counters(recorder).filter(({ t, endpoint }) => t > off && endpoint === endpoints[0]);
    const sends = ({ values }: RunEventOf<'counter'>): number => values.rdma_sends ?? 0;
    await recorder.until(() => {
      const [calm, ...later] = settled().slice(-3);
      const last = later.at(-1);
      return later.length === 2 && sends(last!) > sends(calm!) && timeouts(last!) === timeouts(calm!);
    });

    await expect(
      client.request('run.faults', { runId, endpoint: 'pid 1', faults: LOSS }),
    ).rejects.toMatchObject({ info: { code: 'NO_FAULTS' } });
    await client.request('run.cancel', { runId });
    await recorder.untilMessage('run.complete');
    // The replay goes by the order in which the processes came, not by their IDs.
    const plan = await injectedIntoProgram(client, agent.address, runId);
    expect(plan.map(({ endpoint }) => endpoint).toSorted()).toEqual(['1', '1', '1', '2', '2', '2']);
    expect(plan[2]!.faults).toEqual(LOSS);
  });

  it('are there before the first packet', async () => {
    const home = newHome();
    const { agent } = await testAgent({ home });
    const recorder = await Recorder.connect(agent);
    const at = nextPort();
    const command = ['ibv_rc_pingpong', '-g', '1', '-s', '64', '-n', '10', '-p', at];
    const server = exec(home, command, ['--no-agent']);
    await untilListening(at);
    // SEND Only.
    const rule = ['--fault-rule', 'drop:opcode=0x04,times=1'];
    const client = exec(home, [...command, '127.0.0.1'], rule);
    await recorder.untilMessage('run.changed', ({ run }) => run.lab === 'program');
    const { runs } = await recorder.client.request('run.list', {});
    await recorder.client.request('run.subscribe', { runId: runs[0]!.id, fromSeq: 1 });
    const ended = await client.ended;
    expect(ended.code, ended.err).toBe(0);
    expect((await server.ended).code).toBe(0);
    await recorder.untilMessage('run.complete');
    // The lost SEND causes one timeout. A busy machine causes more if it keeps a process off the CPU for longer than
    // the ACK timeout.
    const after = counters(recorder, 'after');
    expect(after).toHaveLength(1);
    expect(timeouts(after[0]!)).toBeGreaterThanOrEqual(1);
    expect(faultsOf(recorder)).toHaveLength(1);
    const refused = await exec(newHome(), ['true'], ['--faults', 'loss=1%']).ended;
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('none is running');
  });
});
