import {
  rowOf,
  type ProgramWork,
  type RunRecord,
  type RunResult,
  type RunRow,
  type TransportResult,
} from '@verbslab/protocol';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CATALOG } from '../src/labs/catalog';
import {
  columnName,
  commonProvider,
  filledColumns,
  mixesClocks,
  runColumns,
  tableColumns,
} from '../src/runs/columns';
import { isLimited, needsAll, queryHref, readQuery, type ListQuery } from '../src/parts/run/list-query';
import { parameterText } from '../src/parts/run/parameters';
import { runFilter } from '../src/parts/run/search';
import { sortRuns } from '../src/runs/sort-runs';
import { numbersText, runsText, shownOf, survivor, ticked } from '../src/runs/selection';
import { record } from './stream';

const figures: TransportResult = {
  goodputGbps: 19.3,
  messagesPerSecond: 1,
  cpuSecondsPerGB: { app: 1, nic: null, kernel: 0 },
  latencyUs: { n: 5, min: 1, p50: null, p90: null, p99: null, p999: null, max: 2 },
  bytes: 1,
  messages: 1,
  seconds: 1,
};

const result = (part: Partial<RunResult> = {}): RunResult => ({
  lab: 'bulk',
  state: 'done',
  provider: 'user-space',
  device: 'uroce0',
  parameters: {},
  transports: {},
  checks: [],
  captureFile: null,
  ...part,
});

const bulk = record({
  number: 12,
  state: 'done',
  endedAt: 4200,
  parameters: { size: 4096, depth: 64, operation: 'read' },
  result: result({
    transports: { rdma: figures },
    endpoints: [
      { role: 'client', host: 'local', device: 'uroce0', providerClass: 'user-space' },
      { role: 'server', host: 'vm1', device: 'rxe0', providerClass: 'kernel' },
    ],
  }),
});
const program = record({
  number: 3,
  lab: 'program',
  title: 'ib_write_bw -s 65536',
  state: 'failed',
  parameters: { command: ['/opt/perftest/ib_write_bw', '-s', '65536', 'a b'] },
});
const minimal = record({
  number: 4,
  lab: 'minimal-flow',
  title: 'One WRITE, step by step',
  state: 'running',
});

const parameters = parameterText(CATALOG);
const columns = runColumns(CATALOG, parameters, () => null);
const ids = (runs: RunRow[]) => filledColumns(columns, runs).map(({ id }) => id);

describe('the address of the list', () => {
  const usual: ListQuery = { q: '', lab: '', state: '', tag: '', sort: { id: 'number', desc: true } };

  it('holds search, filters and order, and says nothing of what is usual', () => {
    expect(queryHref(usual)).toBe('/runs');
    expect(readQuery(new URLSearchParams())).toEqual(usual);
    for (const query of [
      usual,
      { q: 'a & b', lab: 'bulk', state: 'done', tag: 'rnr', sort: { id: 'rdma-goodput', desc: true } },
      { ...usual, sort: { id: 'number', desc: false } },
    ]) {
      const href = new URL(queryHref(query), 'http://localhost');
      expect(readQuery(href.searchParams)).toEqual(query);
    }
  });

  it('asks for the whole history where the newest runs are not the answer', () => {
    expect([isLimited(usual), needsAll(usual)]).toEqual([false, false]);
    expect([isLimited({ ...usual, q: ' ' }), isLimited({ ...usual, lab: 'bulk' })]).toEqual([false, true]);
    expect(needsAll({ ...usual, sort: { id: 'number', desc: false } })).toBe(true);
    expect(needsAll({ ...usual, q: 'vm1' })).toBe(true);
  });
});

describe('parameters of a run', () => {
  it('are those that differ from the defaults; a program has its arguments in its title', () => {
    expect(parameters(bulk).replaceAll('\u00a0', ' ')).toBe('message size 4 KiB, operation read');
    expect(parameters(program)).toBe('');
    expect(ids([program])).not.toContain('parameters');
    expect(parameters(record({ lab: 'of another version', parameters: { chunk: 4 } }))).toBe('chunk 4');
  });
});

describe('a search', () => {
  const fits = runFilter(parameters);
  const found = (part: Partial<ListQuery>) =>
    [bulk, program, minimal]
      .filter((run) =>
        fits(run, { q: '', lab: '', state: '', tag: '', sort: { id: 'number', desc: true }, ...part }),
      )
      .map(({ number }) => number);

  it.each([
    ['name', 'write, STEP', [4]],
    ['number', '#12', [12]],
    ['parameter as shown', '4 kib', [12]],
    ['parameter by name', 'depth=64', [12]],
    ['host', 'vm1', [12]],
    ['device', 'vm1/rxe0', [12]],
    ['state', 'failed', [3]],
    ['command line', '/opt/perftest', [3]],
    ['words in any order', 'read bulk', [12]],
    ['provider class', 'user-space', [12]],
  ])('finds by %s', (_, q, numbers) => expect(found({ q })).toEqual(numbers));

  it('narrows what the filters leave', () => {
    expect(found({})).toEqual([12, 3, 4]);
    expect(found({ lab: 'bulk' })).toEqual([12]);
    expect(found({ state: 'running' })).toEqual([4]);
    expect(found({ lab: 'bulk', q: 'failed' })).toEqual([]);
  });

  it('looks through tags and, as the agent says, through notes', () => {
    const tagged = { ...program, tags: ['rnr', 'week-3'] };
    const all = { q: '', lab: '', state: '', tag: '', sort: { id: 'number', desc: true } };
    const noted = { slow: ['aaaaaaaaaa'] };
    const which = (part: Partial<ListQuery>) =>
      [{ ...bulk, id: 'aaaaaaaaaa' }, tagged, minimal]
        .filter((run) => runFilter(parameters, noted)(run, { ...all, ...part }))
        .map(({ number }) => number);
    expect(which({ tag: 'rnr' })).toEqual([3]);
    expect(which({ q: 'week-3' })).toEqual([3]);
    expect(which({ q: 'slow' })).toEqual([12]);
    expect(which({ q: 'slow perftest' })).toEqual([]);
  });
});

describe('a program', () => {
  const worked = (work: Partial<ProgramWork> = {}): RunRecord => ({
    ...program,
    result: result({
      program: {
        exitCode: 0,
        signal: null,
        work: {
          processes: 1,
          device: 'uroce0',
          messages: 3000,
          bytes: 5e9,
          timedBytes: 4e9,
          seconds: 2,
          timedFrom: 'completion',
          latencyUs: { n: 1000, min: 1, p50: 2, p90: 3, p99: 4.25, p999: null, max: 6 },
          sampled: false,
          peers: [],
          peerCount: 0,
          ...work,
        },
      },
    }),
  });
  const cell = (id: string, run: RunRecord) =>
    renderToStaticMarkup(columns.find((column) => column.id === id)?.cell(run));

  it('has its rate and the latency of its sends where a lab has those of RDMA', () => {
    expect(ids([worked()]).slice(-2)).toEqual(['rdma-goodput', 'rdma-p99']);
    expect(cell('rdma-goodput', worked())).toContain('16.0');
    expect(cell('rdma-goodput', worked())).toContain(
      'all bytes that the program moved, from the first completion to the last completion',
    );
    const both = worked();
    both.result!.program!.work!.moved = { written: 0, read: 0, sent: 1, received: 1 };
    expect(cell('rdma-goodput', both)).toContain('moved, both directions together, from');
    expect(cell('rdma-p99', worked())).toBe('4.25');
  });

  it('has them under the link that carried its packets, where that is one around the kernel', () => {
    const over = (links: RunResult['links']) => ({
      ...worked(),
      result: { ...worked().result!, links },
    });
    expect(ids([over(['shm'])]).slice(-2)).toEqual(['shm-goodput', 'shm-p99']);
    for (const links of [['udp'], ['udp', 'shm'], undefined] as const)
      expect(ids([over(links && [...links])]).slice(-2)).toEqual(['rdma-goodput', 'rdma-p99']);
  });

  it('has none where the time that it took is not known', () => {
    expect(ids([worked({ seconds: null, latencyUs: null })])).not.toContain('rdma-goodput');
    expect(ids([program])).not.toContain('rdma-goodput');
  });
});

describe('columns', () => {
  it('are left out where no run has anything for them', () => {
    expect(ids([minimal])).toEqual(['number', 'lab', 'state', 'started']);
    // A withheld percentile is content, and the common class of all runs is beside the table.
    expect(ids([minimal, bulk])).toEqual([
      'number',
      'lab',
      'headline',
      'parameters',
      'state',
      'started',
      'took',
      'rdma-goodput',
      'rdma-cpu',
      'rdma-p99',
    ]);
    const over = (...links: NonNullable<RunResult['links']>) => ({ ...bulk, result: result({ links }) });
    expect(commonProvider([over('udp', 'shm'), minimal])).toEqual({
      provider: 'user-space',
      links: ['udp', 'shm'],
    });
    expect(commonProvider([over('udp'), over('shm')])).toBeNull();
    const badges = renderToStaticMarkup(
      columns.find(({ id }) => id === 'provider')?.cell(over('udp', 'shm')),
    );
    expect(badges).toMatch(/>user-space, through the kernel<.*>user-space, kernel bypassed</);
    const onKernel = { ...bulk, result: result({ provider: 'kernel' }) };
    expect(ids([bulk, onKernel])).toContain('provider');
    expect([commonProvider([bulk, minimal]), commonProvider([bulk, onKernel]), commonProvider([])]).toEqual([
      { provider: 'user-space', links: undefined },
      null,
      null,
    ]);
  });

  it('are headed by the link that carried their packets, and by no link where there were several', () => {
    const over = (link?: 'udp' | 'shm') => ({
      ...bulk,
      result: result({ transports: { rdma: { ...figures, ...(link ? { link } : {}) } } }),
    });
    const heading = (...runs: RunRecord[]) =>
      filledColumns(columns, runs)
        .filter(({ id }) => id === 'rdma-cpu')
        .map((column) => [column.title, columnName(column)])[0];
    expect(heading(over('udp'), over('udp'))).toEqual(['RDMA/UDP', 'RDMA/UDP CPU']);
    expect(heading(over())).toEqual(['RDMA', 'RDMA CPU']);
    expect(heading(over('udp'), over())).toEqual(['RDMA, other', 'RDMA, other CPU']);
  });

  it('show on hover between which rounds a median lies', () => {
    const round = { ...figures, goodputGbps: 1 };
    const spread = { goodputGbps: { min: 13.1, max: 20.5 }, cpuSecondsPerGB: null };
    const of = (rounds: number) => ({
      ...bulk,
      result: result({
        transports: { rdma: { ...figures, rounds: Array.from({ length: rounds }, () => round), spread } },
      }),
    });
    const cell = (id: string, run: RunRecord) =>
      renderToStaticMarkup(columns.find((column) => column.id === id)?.cell(rowOf(run)));
    expect(cell('rdma-goodput', of(3))).toMatch(
      /<button[^>]*>19\.3<\/button>.*Median of 3 rounds, from 13\.1 to 20\.5 Gb\/s\./,
    );
    expect(cell('rdma-goodput', of(1))).toBe('19.3');
    expect(cell('rdma-cpu', of(3))).toBe('1.00');
  });

  it('tell where latencies of RDMA and TCP stand side by side, which do not compare', () => {
    const over = (...transports: ('rdma' | 'shm' | 'tcp')[]): RunRecord => ({
      ...bulk,
      result: result({ transports: Object.fromEntries(transports.map((one) => [one, figures])) }),
    });
    const mixed = (...runs: RunRecord[]) => mixesClocks(columns, runs);
    expect([mixed(over('rdma', 'tcp')), mixed(minimal, over('shm', 'tcp'))]).toEqual([true, true]);
    expect([mixed(over('rdma', 'shm')), mixed(over('tcp')), mixed(over('tcp'), over('rdma'))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('are those of one line: one figure, and less beside it where there is less room', () => {
    const onKernel = { ...bulk, result: result({ provider: 'kernel', transports: { tcp: figures } }) };
    const filled = filledColumns(columns, [bulk, onKernel]);
    const line = (width: number, figure?: string) =>
      tableColumns(filled, width, figure)?.map(({ id }) => id) ?? null;
    // Widths in rem for windows of 1440, 1024 and 390 px, without the rail and the margins.
    expect(line(73)).toEqual(['number', 'lab', 'headline', 'state', 'started', 'took', 'provider']);
    expect(line(57)).toEqual(['number', 'lab', 'headline', 'state', 'started', 'took']);
    expect(line(50)).toEqual(['number', 'lab', 'headline', 'state']);
    expect(line(22)).toBeNull();
    expect(line(73, 'tcp-cpu')?.slice(0, 4)).toEqual(['number', 'lab', 'tcp-cpu', 'state']);
    // No run has the figure any more.
    expect(line(73, 'shm-cpu')?.[2]).toBe('headline');
  });
});

describe('the figure of a run', () => {
  const headline = columns.find(({ id }) => id === 'headline')!;
  const text = (run: RunRow) =>
    renderToStaticMarkup(headline.cell(run))
      .replace(/<span[^>]*popover[^>]*>.*?<\/span>/g, '')
      .replace(/<[^>]*>/g, '')
      .replaceAll('\u00a0', ' ');

  it('is the one that its lab names first, of those that were measured', () => {
    const lab = CATALOG.find(({ id }) => id === 'outstanding')!;
    const [first, second] = lab.results!.figures!;
    const of = (values: Record<string, number | null>) => ({
      ...bulk,
      lab: lab.id,
      result: result({
        results: {
          ...{ tables: {}, curves: {}, predicted: {}, outcomes: {} },
          figures: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
        },
      }),
    });
    expect(text(of({ [second!.name]: 2, [first!.name]: 1 }))).toMatch(new RegExp(`^${first!.label} `));
    expect(text(of({ [second!.name]: 2, [first!.name]: null }))).toMatch(new RegExp(`^${second!.label} `));
  });

  it('is goodput where a lab names none, and a dash where nothing was measured', () => {
    expect(text(bulk)).toBe('RDMA goodput 19.3 Gb/s');
    const slow = { ...bulk, result: result({ transports: { tcp: { ...figures, goodputGbps: 1.53e-6 } } }) };
    expect(text(slow)).toBe('TCP goodput 1.53 kb/s');
    expect(text(minimal)).toBe('–');
  });

  it('orders runs by what it is, then by its value', () => {
    const over = (number: number, transport: 'rdma' | 'tcp', goodputGbps: number) => ({
      ...bulk,
      number,
      result: result({ transports: { [transport]: { ...figures, goodputGbps } } }),
    });
    const runs = [over(1, 'tcp', 30), minimal, over(2, 'rdma', 9), over(3, 'rdma', 10)];
    const order = (desc: boolean) =>
      sortRuns(runs, columns, { id: 'headline', desc }).map(({ number }) => number);
    expect(order(false)).toEqual([2, 3, 1, 4]);
    expect(order(true)).toEqual([1, 3, 2, 4]);
  });
});

describe('a selection', () => {
  const order = ['e', 'd', 'c', 'b', 'a'];
  const of = (...chosen: string[]) => new Set(chosen);

  it('takes one run, or all from the last one on, in both directions', () => {
    expect(ticked(of('a'), order, 'c', true)).toEqual(of('a', 'c'));
    expect(ticked(of('d'), order, 'b', true, 'd')).toEqual(of('d', 'c', 'b'));
    expect(ticked(of('b'), order, 'd', true, 'b')).toEqual(of('d', 'c', 'b'));
    expect(ticked(of('d', 'c', 'b'), order, 'c', false, 'd')).toEqual(of('b'));
    // The last ticked run is no longer shown.
    expect(ticked(of(), order, 'c', true, 'gone')).toEqual(of('c'));
  });

  it('counts only what is shown', () => {
    expect(shownOf(of('a', 'd', 'hidden'), order)).toEqual(['d', 'a']);
  });

  it('leaves the focus to a neighbor that stays', () => {
    expect(survivor(order, of('d', 'c'))).toBe('b');
    expect(survivor(order, of('d', 'b'))).toBe('c');
    expect(survivor(order, of('b', 'a'))).toBe('c');
    expect(survivor(order, of(...order))).toBeNull();
    expect(survivor(order, of('hidden'))).toBeNull();
  });

  it('is named by its numbers', () => {
    expect(numbersText([8, 3, 5, 4, 10, 11])).toBe('3–5, 8, 10, 11');
    expect([runsText([7]), runsText([7, 9])]).toEqual(['run 7', 'runs 7, 9']);
  });
});
