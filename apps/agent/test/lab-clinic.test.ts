import { LABS } from '@verbslab/labs';
import { takeResult, noResults, type LabResults } from '@verbslab/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { startLab, type LabRun, type LabRunOptions } from './endpoint-harness.js';

const runs: LabRun[] = [];
afterEach(async () => {
  await Promise.all(runs.splice(0).map((run) => run.close()));
});

async function play(
  id: string,
  params: Record<string, unknown>,
  options: LabRunOptions = {},
): Promise<LabRun & { results: LabResults }> {
  const lab = LABS.find(({ description }) => description.id === id)!;
  const run = await startLab(lab, { ...options, params });
  runs.push(run);
  await run.finished;
  const results = noResults();
  for (const event of run.recording.events) takeResult(results, event);
  return { ...run, results };
}

const failed = ({ checks }: LabRun): unknown[] => checks.filter(({ ok }) => !ok);

describe('the tour of failures', () => {
  it.each(['udp', 'auto'])('shows every failure as it must be (%s)', async (link) => {
    const run = await play('clinic-tour', { link });
    expect(failed(run)).toEqual([]);
    const lab = LABS.find(({ description }) => description.id === 'clinic-tour')!;
    expect(run.checks.map(({ id }) => id).sort()).toEqual(lab.description.checks.map(({ id }) => id).sort());
    const skipped = run.checks.filter((check) => 'applies' in check).map(({ id }) => id);
    // The embedded device frees slots on ACKs, and registers beyond the limit unless it is strict.
    expect(skipped).toEqual(['never-signaled', 'never-polled', 'memory-limit']);
    const rows = run.results.tables.failures!;
    const row = (failure: string) => rows.find((one) => one.failure === failure)!;
    expect(rows).toHaveLength(23);
    expect(run.results.tables.fixes!.map(({ works }) => works)).toEqual(rows.map(() => true));
    expect(row('A wrong rkey')).toMatchObject({
      status: '10 REM_ACCESS_ERR',
      serverEvent: 'QP_ACCESS_ERR',
      clientEvent: 'none',
      nak: '0x62',
      packets: 1,
      counters: 'server naks_sent +1',
    });
    expect(row('Memory that is not registered')).toMatchObject({ status: '4 LOC_PROT_ERR', packets: 0 });
    expect(row('More SGEs than the QP allows')).toMatchObject({ errno: 'EINVAL', packets: 0 });
    expect(row('More requests under way than the send queue holds')).toMatchObject({
      errno: 'ENOMEM',
      seen: '16 posts were accepted. When the server was ready, 16 of them completed with status 0.',
    });
    expect(row('A CQ that is smaller than what is signaled').clientEvent).toContain('CQ_ERR');
    // The first try and rnr_retry 3 more.
    expect(row('A SEND without a RECV, with a limited rnr_retry')).toMatchObject({
      status: '13 RNR_RETRY_EXC_ERR',
      nak: '4 × RNR',
      packets: 4,
    });
    expect(row('max_rd_atomic 0').status).toBe('2 LOC_QP_OP_ERR');
    // The embedded device works on addresses, so the bytes are in the new pages.
    expect(row('Memory that is unmapped while it is registered')).toMatchObject({
      status: '0 SUCCESS',
      seen: 'The bytes are in the new pages: this device works on addresses. A NIC writes into the old ones.',
    });
    expect(row('A wrong Q_Key')).toMatchObject({
      status: '0 SUCCESS',
      counters: 'server qkey_violations +1',
    });
    expect(row('Different path MTUs')).toMatchObject({ status: '9 REM_INV_REQ_ERR', nak: '0x61' });
    expect(row('PSNs that do not match')).toMatchObject({ status: '12 RETRY_EXC_ERR', nak: '0x60' });
    // The first try and retry_cnt 3 more, none of which was answered.
    expect(row('The peer is gone')).toMatchObject({ status: '12 RETRY_EXC_ERR', nak: 'none', packets: 4 });
    // By definition of the timers: at least so long.
    expect(run.results.figures.rnrZeroTime!.value).toBeGreaterThanOrEqual(655.36);
    expect(run.results.figures.goneTime!.value).toBeGreaterThanOrEqual(4 * 4.096e-3 * 2 ** 8);
    expect(run.results.figures).toMatchObject({
      cases: { value: 23 },
      silent: { value: 7 },
      refused: { value: 4 },
    });
    expect(run.results.outcomes).toEqual({ 'same-status': 'psn', qkey: 'success' });
  });
});

describe('the clinic', () => {
  it('shows the symptoms before it names the mistake, and then the fix', async () => {
    const seen: string[][] = [];
    const run = await play(
      'clinic',
      { case: 'psn-mismatch', link: 'udp' },
      {
        gate: (step) => {
          seen.push([step]);
          return Promise.resolve();
        },
      },
    );
    expect(failed(run)).toEqual([]);
    expect(seen.flat()).toEqual(['symptoms', 'reveal', 'fix']);
    const at = (found: (event: LabRun['recording']['events'][number]) => boolean): number =>
      run.recording.events.findIndex(found);
    const named = at((event) => JSON.stringify(event).includes('PSNs that do not match'));
    expect(at((event) => event.kind === 'row' && event.table === 'symptoms')).toBeLessThan(named);
    expect(at((event) => event.kind === 'step' && event.id === 'reveal')).toBeLessThan(named);
    expect(run.results.outcomes).toEqual({ diagnosis: 'psn-mismatch' });
    expect(run.results.tables.symptoms).toMatchObject([
      { status: '12 RETRY_EXC_ERR', nak: '0x60', works: false },
      { status: '0 SUCCESS', nak: 'none', works: true },
    ]);
    expect(run.results.tables.counters).toContainEqual({
      side: 'client',
      counter: 'retry_exceeded_err',
      broken: 1,
      fixed: 0,
    });
  });

  it('keeps the name to itself until it may be told', async () => {
    const hidden = await play('clinic', { seed: 3, reveal: false });
    expect(failed(hidden)).toEqual([]);
    expect(hidden.results.outcomes).toEqual({});
    expect(hidden.results.tables.diagnosis).toBeUndefined();
    const shown = await play('clinic', { seed: 3 });
    const named = shown.results.tables.diagnosis!.find(({ part }) => part === 'Diagnosis')!.text as string;
    expect(JSON.stringify(hidden.recording.events)).not.toContain(named);
    expect(hidden.answer).not.toContain(named);
    const facts = ({ results }: typeof shown) =>
      results.tables.symptoms!.map(({ status, errno, works }) => ({ status, errno, works }));
    expect(facts(shown)).toEqual(facts(hidden));
  });

  it('says which failures the devices cannot show', async () => {
    const run = await play('clinic', { case: 'never-signaled' });
    expect(run.checks.map(({ id, ...check }) => [id, 'applies' in check])).toEqual([
      ['symptoms', true],
      ['fixed', true],
    ]);
    expect(run.answer).toContain('frees a slot when the peer acknowledges');
  });
});

describe('the retry timers', () => {
  it.each(['udp', 'auto'])('last as long as their formulas say, or longer (%s)', async (link) => {
    const run = await play('retry-timers', { link, timeout: 8, repeat: 2 });
    expect(failed(run)).toEqual([]);
    const { ack, rnr } = run.results.tables;
    expect(ack!.map(({ timeout, again, status }) => [timeout, again, status])).toEqual(
      [4, 6, 8].map((timeout) => [timeout, 3, '12 RETRY_EXC_ERR']),
    );
    expect(rnr!.map(({ retry, again, status }) => [retry, again, status])).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((retry) => [retry, retry, '13 RNR_RETRY_EXC_ERR']),
    );
    expect(run.results.figures.ackLeast!.value).toBeCloseTo(4 * 1.048576, 6);
    expect(run.results.figures.rnrLeast!.value).toBeCloseTo(6 * 1.28, 6);
  });
});
