/** The bulk lab's third curve: RDMA over shared memory, beside RDMA over UDP and TCP. */
import { bulk, minimalFlow } from '@verbslab/labs';
import { afterEach, describe, expect, it } from 'vitest';
import { startLab, type LabRun } from './endpoint-harness.js';

const SHORT = { duration: 0.5, omit: 0.1, repeat: 1 };
const runs: LabRun[] = [];

async function start(params: Record<string, unknown>, env: Record<string, string> = {}): Promise<LabRun> {
  const run = await startLab(bulk, { params: { ...SHORT, ...params }, env });
  runs.push(run);
  return run;
}

afterEach(async () => {
  await Promise.all(runs.splice(0).map((run) => run.close()));
});

/** Growth of a counter of the client over the run. */
function grown(run: LabRun, name: string): number {
  const values = run.recording.of('counter', 'client').map((event) => event.values[name] ?? 0);
  return values.at(-1)! - values[0]!;
}

const failed = ({ checks }: LabRun): unknown[] => checks.filter(({ ok }) => !ok);

describe('bulk through shared memory', () => {
  it.each(['write', 'read', 'send'])('is a third transport (%s)', async (operation) => {
    const run = await start({ operation });
    await run.finished;
    expect(failed(run)).toEqual([]);
    expect(Object.keys(run.transports)).toEqual(['rdma', 'shm', 'tcp']);
    for (const result of Object.values(run.transports)) expect(result.goodputGbps).toBeGreaterThan(0.1);
    expect([run.transports.rdma?.link, run.transports.shm?.link]).toEqual(['udp', 'shm']);
    expect(run.recording.of('link').map(({ link, transport }) => [link, transport])).toEqual([
      ['udp', 'rdma'],
      ['shm', 'shm'],
    ]);
    expect(run.answer).toMatch(/^TCP moved .* RDMA over shared memory .* and RDMA over UDP /);
    const notes = run.recording.of('note').map(({ text }) => text);
    expect(notes.filter((text) => text.startsWith('Bypassing the kernel: '))).toHaveLength(1);
    expect(notes.filter((text) => text.includes('sent over UDP after'))).toHaveLength(1);
    expect(grown(run, 'shm_packets_out')).toBeGreaterThan(100);
    expect(grown(run, 'udp_sends')).toBeGreaterThan(100);
    const phases = run.recording.of('phase').filter(({ phase }) => phase === 'begin');
    expect(phases.filter(({ omit }) => !omit).map(({ transport }) => transport)).toEqual([
      'rdma',
      'shm',
      'tcp',
      'rdma', // the capture
    ]);
  });

  it('runs alone, without a packet on a socket', async () => {
    const run = await start({ transport: 'rdma-shm' });
    await run.finished;
    expect(failed(run)).toEqual([]);
    expect(Object.keys(run.transports)).toEqual(['shm']);
    expect(run.answer).toMatch(/^RDMA over shared memory moved /);
    expect(grown(run, 'shm_packets_out')).toBeGreaterThan(100);
    expect(grown(run, 'udp_sends')).toBe(0);
    expect(run.checks.find(({ id }) => id === 'packets')?.detail).toContain('split at the path MTU');
  });

  it('runs beside TCP alone', async () => {
    const run = await start({ transport: 'shm-and-tcp' });
    await run.finished;
    expect(failed(run)).toEqual([]);
    expect(Object.keys(run.transports)).toEqual(['shm', 'tcp']);
    expect(run.answer).toMatch(/^RDMA over shared memory moved .* and TCP /);
    expect(grown(run, 'udp_sends')).toBe(0);
  });

  it('stays on UDP where nothing else was asked for', async () => {
    const run = await start({ transport: 'rdma' });
    await run.finished;
    expect(failed(run)).toEqual([]);
    expect(grown(run, 'shm_packets_out')).toBe(0);
    expect(grown(run, 'udp_sends')).toBeGreaterThan(100);
  });

  it('is left out, with the reason, where the ends share no memory', async () => {
    const run = await start({ transport: 'all-in-turn' }, { UROCE_LINK: 'udp' });
    await run.finished;
    expect(failed(run)).toEqual([]);
    expect(Object.keys(run.transports)).toEqual(['rdma', 'tcp']);
    const notes = run.recording.of('note').map(({ text }) => text);
    expect(notes.filter((text) => text.startsWith('RDMA over shared memory was left out.'))).toEqual([
      'RDMA over shared memory was left out. The queue pair at the client sends through UDP sockets. ' +
        'Shared memory needs both ends on one host, run by one user, each on the embedded device (and not with UROCE_LINK=udp).',
    ]);
  });

  it.each(['rdma-shm', 'shm-and-tcp'])(
    'fails with the cure where no other RDMA was asked for (%s)',
    async (transport) => {
      const run = await start({ transport }, { UROCE_LINK: 'udp' });
      await expect(run.finished).rejects.toMatchObject({
        code: 'MISSING_CAPABILITY',
        info: { cure: expect.stringContaining('one host') as string },
      });
      // Nothing is left behind.
      for (const endpoint of ['client', 'server'])
        expect(run.recording.calls(endpoint).filter((call) => call === 'ibv_destroy_qp')).toHaveLength(1);
    },
  );
});

describe('the minimal flow', () => {
  async function flow(link: string, env: Record<string, string> = {}): Promise<LabRun> {
    const run = await startLab(minimalFlow, { params: { link }, env });
    runs.push(run);
    return run;
  }

  it.each([
    ['auto', 'shm'],
    ['shm', 'shm'],
    ['udp', 'udp'],
  ])('with the link %s sends through %s, and the same packets', async (asked, link) => {
    const run = await flow(asked);
    await run.finished;
    expect(failed(run)).toEqual([]);
    expect(run.recording.of('link').map((event) => event.link)).toEqual([link]);
    expect(run.checks.find(({ id }) => id === 'write-packets')).toMatchObject({ ok: true });
  });

  it('falls back to UDP where the ends share no memory, unless it was told not to', async () => {
    const env = { UROCE_LINK: 'udp' };
    const run = await flow('auto', env);
    await run.finished;
    expect(run.recording.of('link').map((event) => event.link)).toEqual(['udp']);
    await expect((await flow('shm', env)).finished).rejects.toMatchObject({
      code: 'MISSING_CAPABILITY',
      info: { message: 'The queue pair at the client sends through UDP sockets.' },
    });
  });
});
