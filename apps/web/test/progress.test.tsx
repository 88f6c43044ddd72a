import { LABS } from '@verbslab/labs';
import {
  noResults,
  takeResult,
  type DeviceInfo,
  type LabProgress,
  type RunRecord,
  type RunResult,
} from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it } from 'vitest';
import example from '../../../packages/labs/test/example/index.js';
import { useAgent } from '../src/connection/store';
import { CATALOG, LISTINGS } from '../src/labs/catalog';
import { LabCatalog } from '../src/labs/lab-catalog';
import { needsText } from '../src/labs/missing';
import { nextLab, progressText } from '../src/model/progress';
import { ProgressLine } from '../src/labs/progress-line';
import { againstFirst, firstOf } from '../src/labs/reading/against-first';
import { record } from './stream';

const checks = Object.fromEntries(LABS.map((lab) => [lab.description.id, lab.selfChecks.length]));
const ran = (lab: string, right: string[] = []): LabProgress => ({
  lab,
  runs: 1,
  lastRunAt: new Date(2001, 10, 20, 13, 5, 9).getTime(),
  checks: right.map((id) => ({ id, right: true, answeredAt: 1 })),
});
/** Every lab run, and all its self-checks answered right. */
const all = LABS.map((lab) =>
  ran(
    lab.description.id,
    lab.selfChecks.map(({ id }) => id),
  ),
);

afterEach(() => useAgent.setState({ progress: null }));

describe('progress in the catalog', () => {
  it('says when a lab was run, and how many of its self-checks are right', () => {
    expect(progressText(undefined, 3)).toBeNull();
    expect(progressText(ran('bulk'), 3)).toBe('Last run 20 Nov 2001, 13:05:09.');
    const wrong = { ...ran('bulk', ['a', 'b']), lastRunAt: null };
    wrong.checks.push({ id: 'c', right: false, answeredAt: 2 });
    expect(progressText(wrong, 3)).toBe('2 of 3 self-checks right.');
  });

  it('suggests the first lab that was not run, then open self-checks, then nothing', () => {
    const [first, second] = CATALOG;
    expect(nextLab(CATALOG, [], checks)).toEqual({ lab: first, why: 'run' });
    expect(nextLab(CATALOG, [ran(first!.id)], checks)).toEqual({ lab: second, why: 'run' });
    const open = all.map((one) => (one.lab === 'minimal-flow' ? ran('minimal-flow', ['packets']) : one));
    expect(nextLab(CATALOG, open, checks)).toMatchObject({ lab: { id: 'minimal-flow' }, why: 'answer' });
    expect(nextLab(CATALOG, all, checks)).toBeNull();
  });

  it('is above the labs, and can be reset once there is some', () => {
    const line = (progress: LabProgress[]) =>
      renderToStaticMarkup(<ProgressLine labs={CATALOG} progress={progress} checks={checks} />);
    expect(line([])).toContain(`0 of ${CATALOG.length} labs run.`);
    expect(line([])).not.toContain('>Reset progress<');
    expect(line(all)).toContain('All self-checks are answered.');
    expect(line(all)).toContain('Reset progress<');
  });

  it('says what a lab needs, and where no device has it', () => {
    const device = (...capabilities: DeviceInfo['capabilities']) => ({ capabilities }) as DeviceInfo;
    expect(needsText({ needs: [] }, [])).toBeNull();
    expect(needsText({ needs: ['tap'] }, [])).toBe('Needs a packet tap.');
    expect(needsText({ needs: ['tap'] }, [device(), device('tap', 'faults')])).toBe('Needs a packet tap.');
    // Each of the two has one; the lab needs both in one device.
    expect(needsText({ needs: ['tap', 'faults'] }, [device('tap'), device('faults')])).toBe(
      'Needs a packet tap, fault injection. None of your devices has it.',
    );
  });

  it('is shown for no lab while the agent has not said any', () => {
    const html = renderToStaticMarkup(<LabCatalog labs={LISTINGS} checks={checks} map={null} />);
    expect(html).not.toContain('labs run.');
    expect(html).not.toContain('data-done');
  });
});

describe('a run against the first one of its lab', () => {
  const lab = example.description;
  function run(
    number: number,
    longest: number | null,
    parameters: RunRecord['parameters'],
    more: { spread?: { min: number; max: number; n: number }; transports?: RunResult['transports'] } = {},
  ): RunRecord {
    const results = noResults();
    if (longest !== null)
      takeResult(results, { kind: 'figure', name: 'longest', value: longest, ...more.spread });
    const made = record({ id: `run${number}`, number, lab: lab.id, state: 'done', parameters });
    return {
      ...made,
      result: { ...made.result, results, transports: more.transports ?? {} } as unknown as NonNullable<
        RunRecord['result']
      >,
    };
  }
  const results = (of: RunRecord) => ({ record: of, results: of.result!.results! });
  const first = run(3, 12, { workers: 3, largest: 65_536 });
  const later = run(5, 40.5, { workers: 1, largest: 65_536 });

  it('shows the parameters that were changed, and the figures of both', () => {
    const failed = { ...run(1, null, {}), state: 'failed' } as const;
    expect(firstOf([later, first, failed], lab.id)).toBe(first);
    const table = againstFirst(lab, first, results(later))!;
    expect(table.columns.map(({ label }) => label)).toEqual([
      'Parameter or figure',
      'Run 3',
      'Run 5',
      'Change',
    ]);
    expect(table.rows).toEqual([
      ['Workers', '3', '1', ''],
      ['Longest registration', '12\u00a0µs', '40.5\u00a0µs', '3.38×*'],
    ]);
  });

  it('says so where nothing was changed', () => {
    const same = run(6, 13, first.parameters);
    expect(againstFirst(lab, first, results(same))).toMatchObject({
      text: expect.stringContaining('same parameters') as string,
      rows: [['Longest registration', '12\u00a0µs', '13\u00a0µs', '1.08×*']],
    });
  });

  it('sees no difference inside the spread of the repetitions, and one beyond it', () => {
    const change = (min: number, max: number, n = 5) => {
      const other = run(6, 20, first.parameters, { spread: { min, max, n } });
      const before = run(3, 12, first.parameters, { spread: { min: 10, max: 15, n } });
      return againstFirst(lab, before, results(other))!.rows[0]!.at(-1);
    };
    expect(change(14, 25)).toBe('no clear difference');
    expect(change(16, 25)).toBe('1.67×');
    // Three repetitions are too few for a verdict, whether their ranges overlap or not.
    expect([change(14, 25, 3), change(16, 25, 3)]).toEqual(['1.67×*', '1.67×*']);
    expect(
      againstFirst(lab, first, results(run(6, 12, {})))!
        .rows.at(-1)!
        .at(-1),
    ).toBe('same');
  });

  it('compares the transports of a lab that measures them', () => {
    const tcp = (goodputGbps: number): RunResult['transports'] => ({
      tcp: {
        ...{ goodputGbps, messagesPerSecond: 100, cpuSecondsPerGB: null, latencyUs: null },
        ...{ bytes: 1, messages: 1, seconds: 1 },
        rounds: Array.from({ length: 5 }, () => ({
          ...{
            goodputGbps,
            messagesPerSecond: 100,
            cpuSecondsPerGB: null,
            bytes: 1,
            messages: 1,
            seconds: 1,
          },
        })),
        spread: { goodputGbps: { min: goodputGbps - 1, max: goodputGbps + 1 }, cpuSecondsPerGB: null },
      },
    });
    const before = run(3, null, {}, { transports: tcp(10) });
    const rows = (gbps: number) =>
      againstFirst(lab, before, results(run(4, null, {}, { transports: tcp(gbps) })))!.rows;
    expect(rows(20)).toEqual([
      ['TCP goodput', '10\u00a0Gb/s (9–11)', '20\u00a0Gb/s (19–21)', '2×'],
      ['TCP messages', '100\u00a0msg/s (100–100)', '100\u00a0msg/s (100–100)', 'same'],
    ]);
    expect(rows(11)[0]!.at(-1)).toBe('no clear difference');
  });

  it('is not shown for the first run itself, or without figures', () => {
    expect(againstFirst(lab, first, results(first))).toBeNull();
    expect(againstFirst(lab, null, results(later))).toBeNull();
    expect(againstFirst(lab, run(3, null, {}), results(later))).toBeNull();
  });
});
