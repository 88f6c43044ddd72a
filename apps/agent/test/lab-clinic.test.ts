import { LABS } from '@verbslab/labs';
import { takeResult, noResults, type LabResults } from '@verbslab/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { meddle, startLab, type LabRun, type LabRunOptions } from './endpoint-harness.js';
import { problems } from './helpers/lab-run.js';

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
    const hidden = await play('clinic', { seed: 3 });
    expect(failed(hidden)).toEqual([]);
    expect(hidden.results.outcomes).toEqual({});
    expect(hidden.results.tables.diagnosis).toBeUndefined();
    const shown = await play('clinic', { seed: 3, reveal: true });
    const named = shown.results.tables.diagnosis!.find(({ part }) => part === 'Diagnosis')!.text as string;
    expect(JSON.stringify(hidden.recording.events)).not.toContain(named);
    expect(hidden.answer).not.toContain(named);
    const facts = ({ results }: typeof shown) =>
      results.tables.symptoms!.map(({ status, errno, works }) => ({ status, errno, works }));
    expect(facts(shown)).toEqual(facts(hidden));
  });

  it.each(['wrong-rkey', 'cq-overrun', 'full-queue', 'missing-recv'])(
    'counts the errors of %s as intended',
    async (one) => {
      const run = await play('clinic', { case: one });
      expect(failed(run)).toEqual([]);
      expect(problems(run)).toBe(0);
    },
  );

  it('counts an error of the fixed program as a problem, although the broken one causes the same', async () => {
    const wrong = meddle('client', 'postAndWait', (args) => ({
      ...args,
      wr: { ...args.wr, remote: { ...args.wr.remote!, rkey: 1 } },
    }));
    const run = await play('clinic', { case: 'wrong-rkey' }, { meddling: [wrong] });
    expect(failed(run)).toMatchObject([{ id: 'fixed' }]);
    // The failed completion and the event at the server count as one problem.
    expect(problems(run)).toBe(1);
  });

  it('says which failures the devices cannot show', async () => {
    const run = await play('clinic', { case: 'memory-limit' });
    expect(run.checks.map(({ id, ...check }) => [id, 'applies' in check])).toEqual([
      ['symptoms', true],
      ['fixed', true],
    ]);
    expect(run.answer).toContain('limit');
  });
});
