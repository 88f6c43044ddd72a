import { CurveChart } from '@verbslab/charts';
import { staticMarkup } from '@verbslab/charts/static';
import { bulk, type RangeParts } from '@verbslab/labs';
import type { LabDescription, Measurement, RunRecord, SweepPlan, SweepRecord } from '@verbslab/protocol';
import { yScale } from '@verbslab/charts/data';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { fieldsOf, initialDraft } from '../src/model/fields';
import { readForm } from '../src/parts/forms/form-reading';
import { Lab } from '../src/app/labs/[id]/lab';
import { readingOf } from '../src/labs/reading/reading-of';
import { OpenSweep } from '../src/sweeps/open-sweep';
import { plainOf, rangeText, withName } from '../src/sweeps/plain-values';
import { plannedSweep } from '../src/sweeps/planned-sweep';
import { readSweepDraft, suggestedValues, sweepable, type SweepDraft } from '../src/sweeps/sweep-draft';
import { seriesStyles } from '../src/parts/results/series-style';
import { axesOf, curveOf, figuresOf, kneesOf } from '../src/sweeps/sweep-views';
import { ListOfSweeps } from '../src/sweeps/sweeps-page';
import { afterMessage } from '../src/connection/use-sweep';

vi.mock('next/navigation', () => ({
  useRouter: () => ({ push: () => undefined, replace: () => undefined }),
  useSearchParams: () => new URLSearchParams(),
  usePathname: () => '/sweeps',
}));

const lab: LabDescription = bulk.description;
const plain = (html: string): string =>
  html
    .replace(/<!-- -->|<[^>]+>/g, ' ')
    .replace(/\u00a0|&nbsp;/g, ' ')
    .replace(/ +/g, ' ');

const plainText = (text: string): string => text.replaceAll('\u00a0', ' ');

const plan = (axes: SweepPlan['axes'], points: SweepPlan['points'], repeat = 2): SweepPlan => ({
  ...{ lab: lab.id, params: {}, axes, points, repeat },
});
const oneAxis = plan(
  [{ param: 'size', scale: 'log' }],
  [4096, 8192, 16_384].map((size) => ({ size })),
);
const twoAxes = plan(
  [
    { param: 'size', scale: 'list' },
    { param: 'depth', scale: 'list' },
  ],
  [
    { size: 4096, depth: 1 },
    { size: 4096, depth: 16 },
    { size: 8192, depth: 1 },
    { size: 8192, depth: 16 },
  ],
);

const choices = plan(
  [{ param: 'operation', scale: 'list' }],
  ['write', 'send', 'read'].map((operation) => ({ operation })),
);

const measured = (position: number, point: number, round: number, goodput: number): Measurement => ({
  ...{ position, point, round, runId: `000000000${position}`, state: 'done', seconds: 1, error: null },
  figures: { 'rdma.goodput': goodput, 'tcp.goodput': goodput / 2, 'tcp.p50': null },
});
const failed: Measurement = {
  ...measured(5, 0, 1, 0),
  ...{ state: 'failed', figures: {} },
  error: { code: 'CHECK_FAILED', message: 'The check failed.', cure: '' },
};
const some = [
  measured(0, 0, 0, 1),
  measured(1, 1, 0, 9.5),
  measured(2, 2, 0, 10),
  measured(3, 2, 1, 12),
  failed,
];

const sweepOf = (of: SweepPlan, more: Partial<SweepRecord> = {}): SweepRecord => ({
  ...{ id: 'abcdefghij', number: 3, title: lab.title, state: 'running', plan: of },
  ...{ createdAt: 0, startedAt: 0, endedAt: null, measured: 5, total: 6, runId: null },
  ...{ secondsLeft: 12, error: null },
  ...more,
});

describe('the form of a sweep', () => {
  const all = fieldsOf(lab.params);
  const fields = sweepable(all);
  const { values: presets } = readForm(all, initialDraft(all), lab.rules);
  const read = (...draft: [SweepDraft['rows'], string?]) =>
    readSweepDraft(lab, all, presets, { rows: draft[0], repeat: draft[1] ?? '1' });

  it('suggests values for every parameter that can be swept, and all of them are valid', () => {
    expect(fields.length).toBeGreaterThan(3);
    for (const field of fields) {
      const reading = read([{ param: field.name, values: suggestedValues(field) }]);
      expect([field.name, reading.errors.rows]).toEqual([field.name, [{}]]);
    }
  });

  it('counts the runs of a grid', () => {
    const { plan: made, runs } = read(
      [
        { param: 'size', values: '4KiB..64KiB*4' },
        { param: 'depth', values: '16,64' },
      ],
      '3',
    );
    expect(runs).toBe(18);
    expect(made?.points).toHaveLength(6);
    expect(made?.axes).toEqual([
      { param: 'size', scale: 'log' },
      { param: 'depth', scale: 'list' },
    ]);
  });

  it('says at each field what is wrong, and then has no plan', () => {
    const row = { param: 'depth', values: '0..4' };
    const { errors, plan: none } = read([row, row], 'many');
    expect(none).toBeNull();
    expect(errors.rows[0]).toEqual({
      from: '0 WRs is too small. Enter a whole number from 1 to 4,096 WRs.',
      by: 'Enter a factor above 1, for example 2.',
    });
    expect(errors.rows[1]!.expression).toBe('This parameter is swept already. Choose another one.');
    expect(errors.repeat).toBe('Enter a whole number from 1 to 500.');
    const many = read([{ param: 'depth', values: '16,32' }], '400');
    expect([many.plan, many.errors.all]).toEqual([null, expect.stringContaining('Too many runs: 800')]);
  });

  it.each([
    ['depth', '64..16*2', { to: 'The end is below the start. Enter 64 or more.' }],
    ['depth', '16..64*1', { by: 'Enter a factor above 1, for example 2.' }],
    ['depth', '16..64+0', { by: 'Enter an amount above 0.' }],
    ['omit', '0..1*2', { from: expect.stringContaining('Multiplying needs a start above 0.') as string }],
    ['depth', '16,x', { values: expect.stringContaining('“x” is not a number') as string }],
    ['depth', '16,16', { values: '16 is in the list already. Enter another value.' }],
    ['depth', '', { values: 'Add at least one value.' }],
    ['operation', '', { values: 'Choose at least one value.' }],
    ['operation', 'write,push', { expression: expect.stringContaining('“push”') as string }],
    ['depth', '1..4096+1', { expression: expect.stringContaining('Too many values') as string }],
  ])('refuses %s=%s at the field that is wrong', (param, values, wrong) => {
    const { errors, plan: none } = read([{ param, values }]);
    expect(errors.rows).toEqual([wrong]);
    expect(none).toBeNull();
  });

  it('refuses a point that the rules of the lab do not allow, before anything runs', () => {
    const { plan: none, errors } = read([{ param: 'depth', values: '1,16' }]);
    expect(none).toBeNull();
    expect(errors.all).toContain('At Depth 1 WR: Signal every: 16 WRs is more than 1 WR');
    expect(read([{ param: 'depth', values: '16,32' }]).plan).not.toBeNull();
  });

  it('reads plain fields from the expression, and writes them into it', () => {
    const [size, operation] = ['size', 'operation'].map((name) => all.find((one) => one.name === name)!);
    const range = plainOf(size!, '4KiB..1MiB*2');
    expect(range).toEqual({ kind: 'range', from: '4KiB', to: '1MiB', sign: '*', by: '2' });
    if (range.kind === 'range') {
      expect(rangeText({ ...range, sign: '+', by: '8 KiB' })).toBe('4KiB..1MiB+8 KiB');
      expect(rangeText({ ...range, from: '' })).toBe('..1MiB*2');
    }
    // While it is being typed, a part may be missing.
    for (const text of ['..1MiB*2', '4KiB..', '4KiB..1MiB', '4KiB..1MiB*', '..'])
      expect([text, (plainOf(size!, text) as RangeParts & { kind: string }).kind]).toEqual([text, 'range']);
    expect(plainOf(size!, '4KiB, 8KiB')).toEqual({ kind: 'list', items: ['4KiB', '8KiB'] });
    expect(withName(operation!, ['read'], 'write', true)).toBe('write,read');
    expect(withName(operation!, ['write', 'read'], 'write', false)).toBe('read');
  });

  it('says how long the sweep takes: as the lab declares, as its latest run took, or not yet', () => {
    const { plan: made } = read([{ param: 'size', values: '4KiB,8KiB' }], '3');
    const sweep = { ...made!, params: { ...presets, duration: 1, omit: 0, repeat: 1, transport: 'rdma' } };
    expect(plainText(plannedSweep(sweep, lab, undefined))).toBe(
      '2 points × 3 repetitions = 6 runs. Takes at least 6.0 s, plus set-up and checks of each run.',
    );
    const { timing: _none, ...silent } = lab;
    const last = { number: 7, createdAt: 1000, startedAt: 1500, endedAt: 3000 } as RunRecord;
    expect(plainText(plannedSweep(sweep, silent, last))).toMatch(
      /Takes about 12 s if every run takes as long as run 7 \(2.0 s\)\.$/,
    );
    expect(plannedSweep(sweep, silent, undefined)).toMatch(/The first run shows how long they take\.$/);
  });

  it('is closed on the page of a lab, with the number of runs in it', () => {
    const html = renderToStaticMarkup(<Lab lab={lab} reading={readingOf(lab.id)} sample={null} />);
    expect(html).toMatch(/<details id="sweep" data-fold="sweep"/);
    expect(plain(html)).toMatch(/\d+ points × 6 repetitions = \d+ runs/);
  });
});

describe('the curves of a sweep', () => {
  it('put the transports of a figure together, with holes and spreads, and leave out what was not measured', () => {
    const figures = figuresOf(oneAxis, some, lab);
    expect(figures.map(({ name }) => name)).toEqual(['goodput']);
    const curve = curveOf(oneAxis, axesOf(oneAxis, lab), figures[0]!)!;
    expect(curve.x.log).toBe(true);
    expect(curve.series.map(({ name }) => name)).toEqual(['rdma', 'tcp']);
    expect(curve.series[0]!.points.at(-1)).toEqual({ x: 16_384, y: 11, min: 10, max: 12 });
    expect(curve.table.rows[2]).toContain('10–12');
    expect(figuresOf(oneAxis, [], lab)).toEqual([]);
  });

  it('mark the knee of each transport, together where it is the same', () => {
    // Two curves rise to one of two values each: four verdicts, which need five repetitions.
    const even = Array.from({ length: 5 }, () => some.slice(0, 3)).flat();
    expect(kneesOf(oneAxis, figuresOf(oneAxis, even, lab)[0]!)).toEqual([
      { names: ['rdma', 'tcp'], x: 8192, label: 'knee of RDMA, TCP' },
    ]);
    expect(kneesOf(twoAxes, figuresOf(twoAxes, even, lab)[0]!)).toEqual([]);
  });

  it('draw the mark of a knee through its point, and none where the curve had not flattened', () => {
    const drawn = (goodputs: readonly number[]) => {
      const list = goodputs.flatMap((goodput, i) =>
        [0, 1, 2, 3, 4].map((round) => measured(i, i, round, goodput)),
      );
      const figure = figuresOf(oneAxis, list, lab)[0]!;
      const curve = curveOf(oneAxis, axesOf(oneAxis, lab), figure)!;
      const html = staticMarkup(
        <CurveChart
          {...{ curve, marks: kneesOf(oneAxis, figure), named: false, width: 300, height: 200 }}
          looks={seriesStyles(curve.series).map((look) => ({ ...look, name: '' }))}
          margin={{ top: 0, right: 0, bottom: 0, left: 100 }}
        />,
      );
      const places = (mark: RegExp) => [...html.matchAll(mark)].map(([, x]) => Math.round(Number(x)));
      return {
        // A circle begins at its left edge, 2.5 pixels from its center.
        points: places(/<path d="M([\d.]+) [^>]*data-point="rdma"/g).map((x) => x + 2),
        marks: places(/<line(?=[^>]*data-mark)[^>]* x1="([\d.]+)"/g),
      };
    };
    const bent = drawn([1, 9.5, 10]);
    expect(bent.marks).toEqual([bent.points[1]]);
    expect(drawn([1, 5, 10])).toEqual({ points: bent.points, marks: [] });
    expect(drawn([9.5, 10, 10]).marks).toEqual([]);
  });

  it('are none where values are names', () => {
    const [figure] = figuresOf(choices, [measured(0, 0, 0, 1)], lab);
    expect(curveOf(choices, axesOf(choices, lab), figure!)).toBeNull();
  });
});

describe('the page of a sweep', () => {
  it('has progress, the ways to stop it, and each point with its runs and failures', () => {
    const html = renderToStaticMarkup(<OpenSweep sweep={sweepOf(oneAxis)} measurements={some} />);
    expect(plain(html)).toMatch(/5 of 6 runs/);
    expect(plain(html)).toContain('about 12 s left');
    expect(html).toContain('>Pause<');
    expect(html).toContain('href="/runs/view?id=0000000003"');
    expect(plain(html)).toContain('The check failed.');
    expect(plain(html)).toContain('1 run failed or was cancelled.');
  });

  it('offers to resume a paused sweep, and nothing for one that was interrupted, of which it keeps the points', () => {
    const paused = renderToStaticMarkup(
      <OpenSweep sweep={sweepOf(oneAxis, { state: 'paused' })} measurements={some} />,
    );
    expect(paused).toContain('>Resume<');
    expect(paused).not.toContain('>Pause<');
    const cut = renderToStaticMarkup(
      <OpenSweep sweep={sweepOf(oneAxis, { state: 'interrupted' })} measurements={some} />,
    );
    expect(cut).not.toMatch(/>(Pause|Resume|Cancel)</);
    expect(cut.match(/data-measured="done"/g)).toHaveLength(4);
    const first = renderToStaticMarkup(
      <OpenSweep sweep={sweepOf(oneAxis, { state: 'interrupted' })} measurements={some.slice(0, 1)} />,
    );
    expect(first).toContain('>not measured<');
    expect(first).not.toContain('not yet measured');
    expect(cut).toContain('data-sweep-curve="goodput"');
  });

  it('shows two parameters as a heat map with the hole of a point that was not measured', () => {
    const html = renderToStaticMarkup(<OpenSweep sweep={sweepOf(twoAxes)} measurements={some.slice(0, 3)} />);
    expect(html).toContain('aria-label="Heat map: RDMA Goodput"');
    expect(html.match(/data-cell=""/g)).toHaveLength(6);
    expect(plain(html)).toContain('not yet measured');
  });

  it('shows choices as dots with the range of their repetitions, and a hole where nothing was measured', () => {
    const list = [measured(0, 0, 0, 2), measured(1, 1, 0, 4), measured(2, 0, 1, 3)];
    const html = renderToStaticMarkup(<OpenSweep sweep={sweepOf(choices)} measurements={list} />);
    expect(html).toContain('data-choice-chart="goodput"');
    // Two series: a dot for each of the two measured choices, a range only for the one that was repeated.
    expect(html.match(/data-median/g)).toHaveLength(4);
    expect(html.match(/data-spread/g)).toHaveLength(2);
    expect(html).toContain('aria-label="2.50: open the runs at write"');
    expect(html).not.toContain('open the runs at read');
    expect(plain(html)).toMatch(/write RDMA 2\.50 TCP 1\.25 send RDMA 4 TCP 2 read RDMA – TCP –/);
  });

  it('marks a value alone on a log axis once', () => {
    const alone = [{ name: 'only', label: 'p50', points: [{ x: 0, y: 2220 }] }];
    const { ticks } = yScale({ y: { label: 'p50', unit: 'µs', log: true, show: String }, series: alone });
    expect(new Set(ticks).size).toBe(ticks.length);
  });

  it('opens the runs behind the cells of a heat map, the holes of failed runs too', () => {
    const lost = { ...failed, point: 2 };
    const html = renderToStaticMarkup(
      <OpenSweep sweep={sweepOf(twoAxes)} measurements={[measured(0, 0, 0, 1), lost]} />,
    );
    expect(html).toContain('aria-label="1: open the runs at 4096, 1"');
    expect(html).toContain('aria-label="–: open the runs at 8192, 1"');
    expect(html).not.toContain('open the runs at 8192, 16');
  });

  it('takes new states and measurements, each once, and nothing of another sweep', () => {
    const known = { sweep: sweepOf(oneAxis), measurements: some.slice(1, 3) };
    const first = { type: 'sweep.measured', sweepId: known.sweep.id, measurement: some[0]! } as const;
    const more = afterMessage(afterMessage(known, first), first);
    expect(more.measurements.map(({ position }) => position)).toEqual([0, 1, 2]);
    expect(afterMessage(known, { ...first, sweepId: 'zzzzzzzzzz' })).toBe(known);
    const ended = sweepOf(oneAxis, { state: 'done' });
    expect(afterMessage(known, { type: 'sweep.changed', sweep: ended }).sweep.state).toBe('done');
  });
});

describe('the list of sweeps', () => {
  const shown = (known: Partial<Parameters<typeof ListOfSweeps>[0]>): string =>
    plain(
      renderToStaticMarkup(
        <ListOfSweeps {...{ sweeps: null, unreadable: [], failure: null, absent: false }} {...known} />,
      ),
    );
  const failure = {
    what: 'The sweeps could not be read.',
    why: 'The disk is full.',
    cure: 'Free some space.',
  };

  it('says why it could not be read', () => {
    expect(shown({ failure })).toContain('The disk is full.');
  });
  it('keeps what it has when a later look fails', () => {
    const text = shown({ sweeps: [], failure });
    expect(text).toContain('Every sweep will be kept here');
    expect(text).not.toContain('The disk is full.');
  });
});
