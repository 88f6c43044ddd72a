import { headlineOf, labCode, readText, resultViews, type LabText } from '@verbslab/labs';
import {
  noResults,
  takeResult,
  type HeadlineSpec,
  type LabDescription,
  type LabResults,
} from '@verbslab/protocol';
import { xScale, yScale } from '@verbslab/charts/data';
import { renderToStaticMarkup } from 'react-dom/server';
import { prerenderToNodeStream } from 'react-dom/static';
import { text as read } from 'node:stream/consumers';
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import example from '../../../packages/labs/test/example/index.js';
import { searchLabs } from '../src/model/catalog-search';
import { CATALOG } from '../src/labs/catalog';
import { CodeTabs } from '../src/labs/code/code-tabs';
import { Lab } from '../src/app/labs/[id]/lab';
import { missingText } from '../src/labs/missing';
import { glossed } from '../src/parts/text/glossed';
import { Further, Happened } from '../src/labs/reading/lab-reading';
import { guesses } from '../src/labs/reading/guesses';
import { PredictionForm } from '../src/labs/reading/prediction-form';
import { readingOf, type LabReading } from '../src/labs/reading/reading-of';
import { Comparison } from '../src/labs/view/comparison';
import { sampleNote } from '../src/labs/view/sample-recording';
import { LabResultsView } from '../src/parts/results/lab-results';
import { StageBars } from '../src/parts/results/stage-bars';
import { sampleFile } from './picture/recordings';
import { TERMS } from '../src/ui/terms';
import { record } from './stream';

vi.mock('next/navigation', () => ({
  useRouter: () => ({ push: () => undefined, replace: () => undefined }),
  useSearchParams: () => new URLSearchParams(),
  usePathname: () => '/labs/example',
}));

const lab = example.description;
const markdown = readFileSync(
  new URL('../../../packages/labs/test/example/text.md', import.meta.url),
  'utf8',
);
const text: LabText = readText(markdown).text;
const plain = (html: string): string =>
  html
    .replace(/<!--.*?-->|<[^>]+>/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll('&nbsp;', ' ');

function results(): LabResults {
  const found = noResults();
  takeResult(found, { kind: 'predicted', values: { longest: 50, slower: 'largest' } });
  takeResult(found, { kind: 'figure', name: 'longest', value: 123.4, n: 9 });
  takeResult(found, { kind: 'row', table: 'regions', cells: { worker: 'worker-1', size: 4096, time: 12 } });
  for (const [x, y] of [
    [4096, 10],
    [16_384, null],
    [65_536, 123.4],
  ] as const)
    takeResult(found, { kind: 'point', curve: 'cost', x, y, series: 'first' });
  takeResult(found, { kind: 'outcome', prediction: 'slower', value: 'smallest' });
  return found;
}
const done = record({ lab: lab.id, state: 'done', parameters: { workers: 3, largest: 65_536 } });

/** Texts about the example. */
const reading: LabReading = {
  place: { track: 'Verbs', at: 2, of: 7, next: { id: 'bulk', title: 'Bulk transfers' } },
  text: glossed(text),
  terms: ['qp'],
  checks: [],
  code: [],
  withoutProgram: null,
};

describe('the page of a lab', async () => {
  // With the code of its picture, and the picture at its place.
  const { prelude } = await prerenderToNodeStream(
    <Lab
      lab={lab}
      sample={sampleFile('write')}
      reading={{
        ...reading,
        checks: [[{ ...readQuestion(), kind: 'number' }]],
        code: labCode('minimal-flow'),
      }}
    />,
    { progressiveChunkSize: Infinity },
  );
  const html = await read(prelude);

  function readQuestion() {
    return { id: 'pages', text: 'How many pages?', answer: 1024, tolerance: 0, worked: '', unit: 'pages' };
  }

  it('has the question, the prediction and Run on its first screen, and all else closed below', () => {
    const [first = '', below = ''] = plain(html.replaceAll('<details', '|<details')).split(
      /\|(?=Parameters)/,
    );
    const order = ['Verbs · lab 2 of 7', lab.question, 'One WRITE', 'Your prediction', 'Defaults', 'Run'];
    const places = order.map((title) => first.indexOf(title));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    const folds = [...html.matchAll(/data-fold="([\w-]+)"/g)].map(([, id]) => id);
    expect(folds).toEqual([
      ...['parameters', 'sweep', 'goals', 'happened', 'self-checks', 'code'],
      ...['traps', 'matters', 'sources', 'terms', 'details'],
    ]);
    expect(html).not.toMatch(/<details[^>]* open/);
    expect(below).toContain('read it without a run');
  });

  it('says in a line what each fold holds', () => {
    const summaries = [...html.matchAll(/<summary.*?<\/summary>/gs)].map(([one]) => plain(one));
    expect(summaries).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Parameters.*largest/),
        'Check yourselfone question',
        expect.stringMatching(/^Code\d+ lines of C that do the same/),
      ]),
    );
  });

  it('lists its terms, so that those in its texts are no stops of the Tab key', () => {
    expect(html).toMatch(new RegExp(`data-term="qp".*?${TERMS.qp.meaning.replaceAll('.', '\\.')}`));
    expect(readingOf('minimal-flow').terms).toEqual(expect.arrayContaining(['rkey', 'qp', 'rtr']));
    const marked = html.match(/<button[^>]*cursor-help underline[^>]*>/g) ?? [];
    expect(marked.length).toBeGreaterThan(0);
    for (const term of marked) expect(term).toContain('tabindex="-1"');
  });

  it('has the variations as buttons, and marks the one that is set', () => {
    expect(html).toMatch(/aria-pressed="true"[^>]*>Defaults</);
    expect(html).toMatch(/aria-pressed="false"[^>]*>One worker</);
  });

  it('leaves a gap for each value before there is a run', () => {
    expect(html.match(/a value of your run/g)).toHaveLength(3);
    expect(html).toContain('Run the lab first.');
    expect(html).not.toContain('data-shows="live-');
  });

  it.each(CATALOG.map((own) => [own.id, own] as const))('exists for %s', (id, own) => {
    expect(renderToStaticMarkup(<Lab lab={own} reading={readingOf(id)} sample={null} />)).toContain(
      own.question,
    );
  });
});

describe('results', () => {
  const html = renderToStaticMarkup(<LabResultsView lab={lab} results={results()} record={done} />);

  it('show figures with units and how many they are of', () => {
    expect(html).toMatch(/data-shows="result-figure">123<span[^>]*>(&nbsp;|\u00a0)µs/);
    expect(html).toContain('n = 9');
  });

  it('have a table of each curve, with a dash for a hole', () => {
    const [curve] = resultViews(results(), lab).curves;
    expect(curve?.table.columns.map(({ label, unit }) => [label, unit])).toEqual([
      ['Size', ''],
      ['First worker', 'µs'],
    ]);
    expect(curve?.table.rows).toEqual([
      ['4\u00a0KiB', '10'],
      ['16\u00a0KiB', '–'],
      ['64\u00a0KiB', '123'],
    ]);
  });

  it('say what is missing of a run that failed', () => {
    const failed = renderToStaticMarkup(
      <LabResultsView lab={lab} results={results()} record={{ state: 'failed' }} />,
    );
    expect(failed).toContain('Partial results');
    const nothing = renderToStaticMarkup(
      <LabResultsView lab={lab} results={noResults()} record={{ state: 'failed' }} />,
    );
    expect(nothing).toContain('ended before it found anything');
  });

  it('end on what the lab says of the run, unless a panel of findings does', () => {
    const notes = [{ text: 'Energy is not measured here.' }, { text: 'Few cores.', caveat: true as const }];
    const record = { ...done, result: { ...done.result!, notes } };
    const shown = plain(
      renderToStaticMarkup(<LabResultsView lab={lab} results={results()} record={record} />),
    );
    expect(shown).toMatch(/Note\s*Energy is not measured here\.$/);
    const measuring = { ...lab, watch: ['findings'] };
    expect(
      renderToStaticMarkup(<LabResultsView lab={measuring} results={results()} record={record} />),
    ).not.toContain('Energy');
  });

  it('go by their names when the lab is of another version', () => {
    const foreign = renderToStaticMarkup(<LabResultsView lab={null} results={results()} record={done} />);
    expect(plain(foreign)).toContain('longest123');
  });
});

describe('the result beside the answer', () => {
  const views = resultViews(results(), lab);
  it('is the first curve, or a small table, or the first figures', () => {
    expect(headlineOf(views)?.apart).toBe('cost');
    expect(headlineOf({ ...views, curves: [] })).toMatchObject({ kind: 'table', apart: 'regions' });
    const [table] = views.tables;
    const long = { ...table!, rows: Array.from({ length: 50 }, () => table!.rows[0]!) };
    expect(headlineOf({ ...views, curves: [], tables: [long] })).toMatchObject({
      kind: 'figures',
      figures: [{ name: 'longest' }],
    });
    expect(headlineOf({ ...views, curves: [], tables: [long], figures: [] })?.kind).toBe('table');
    expect(headlineOf(resultViews(noResults(), lab))).toBeNull();
  });

  it('is what the lab declares: a curve, columns of a table, or figures', () => {
    const of = (headline: HeadlineSpec) => headlineOf(views, { ...lab.results, headline });
    expect(of({ figures: ['longest'] })).toMatchObject({ kind: 'figures', figures: [{ name: 'longest' }] });
    const some = of({ table: 'regions', columns: ['time', 'worker'] });
    // The other columns are shown elsewhere, with these.
    expect(some).toMatchObject({ kind: 'table', apart: null, table: { rows: [['12', 'worker-1']] } });
    expect(of({ curve: 'absent' })?.apart).toBe('cost');
  });

  it('draws the rows of a table as bars that follow each other, with what each owner has of the whole', () => {
    const found = noResults();
    for (const [worker, time] of [
      ['a', 1],
      ['b', 2],
      ['a', 1],
    ] as const)
      takeResult(found, { kind: 'row', table: 'regions', cells: { worker, size: 64, time } });
    const { columns } = lab.results!.tables![0]!;
    const bars = { name: 'worker', length: 'time', by: 'worker', looks: { a: 'program' as const } };
    const [table] = resultViews(found, {
      results: { tables: [{ name: 'regions', label: 'Registrations', columns, bars }] },
    }).tables;
    expect(table!.bars!.rows.map(({ start, length, look }) => [start, length, look])).toEqual([
      [0, 1, 'program'],
      [1, 2, null],
      [3, 1, 'program'],
    ]);
    expect(table!.bars!.split.map(({ by, shown }) => `${by} ${shown}`)).toEqual([
      'a 50\u00a0%',
      'b 50\u00a0%',
    ]);
    expect(plain(renderToStaticMarkup(<StageBars bars={table!.bars!} name="regions" />))).toContain(
      'All4 µs',
    );
  });
});

describe('the line above a sample', () => {
  const note = (properties: LabDescription['params']['properties']): string =>
    sampleNote({ params: { properties } }, sampleFile('write'));
  it('says what the run has that the sample does not', () => {
    expect(note({ size: { default: 64 } })).toBe('Your run has messages of 64 B.');
    expect(note({ link: { default: 'udp' } })).toBe(
      'Your run has packets that go through the kernel’s sockets.',
    );
    expect(note({ size: { default: 10_000 }, link: { default: 'auto' } })).toBe(
      'Your run may have other requests.',
    );
  });
});

describe('the axes of a curve', () => {
  it('are logarithmic where the lab says so, at sizes that were measured', () => {
    const [curve] = resultViews(results(), lab).curves;
    expect(xScale(curve!)).toEqual({ domain: [4096, 65_536], ticks: [4096, 16_384, 65_536], scale: 'log' });
    const y = yScale(curve!);
    expect(y.scale).toBe('log');
    expect(y.domain[0]).toBeLessThan(10);
    expect(y.domain[1]).toBeGreaterThan(123);
  });

  it('are linear where a value is zero, which a log axis cannot show', () => {
    const found = results();
    takeResult(found, { kind: 'point', curve: 'cost', x: 0, y: 0, series: 'first' });
    const [curve] = resultViews(found, lab).curves;
    expect(xScale(curve!).scale).toBe('linear');
    expect(yScale(curve!)).toMatchObject({ scale: 'linear', domain: [0, 150] });
  });
});

describe('the programs of a lab', () => {
  it('have a tab for each language and each file that they share, and are shown with their command', () => {
    const html = renderToStaticMarkup(<CodeTabs code={labCode('write-read')} />);
    const tabs = [...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, title]) => title);
    expect(tabs).toEqual(['C', 'common.h', 'Python', 'common.py', 'TypeScript']);
    expect(plain(html)).toContain('npx verbslab exec /tmp/write-read');
    expect(plain(html)).toContain('// WRITEs in a row with a completion');
  });

  it('have no tab in a language in which there is no program', () => {
    const html = renderToStaticMarkup(<CodeTabs code={labCode('clinic')} />);
    expect(html).not.toContain('Python');
    expect(renderToStaticMarkup(<CodeTabs code={labCode('clinic-tour')} />)).toBe('');
  });
});

describe('the text of a run', () => {
  it('holds its values, and leads to its panels', () => {
    const props = {
      ...{ lab, run: { record: done, results: results() } },
      reading: { ...reading, withoutProgram: 'A model, not a program.' },
    };
    const html = renderToStaticMarkup(
      <>
        <Happened {...props} />
        <Further {...props} />
      </>,
    );
    expect(html).toMatch(/<details id="happened" open=""/);
    expect(plain(html)).toContain(
      '3 workers registered buffers of up to 64 KiB. The longest registration took 123 µs.',
    );
    expect(html).toContain('href="#panel-verbs"');
    expect(plain(html)).toMatch(/No example program.*A model, not a program\./);
  });

  it('explains each term where it stands first', () => {
    const terms = (list: LabText) =>
      JSON.stringify(glossed(list)).match(/"kind":"term","id":"[\w-]+"/g) ?? [];
    const found = terms(readText(markdown.replace('What a device', 'The QP of a QP: what a device')).text);
    expect(found.filter((one) => one.includes('"qp"'))).toHaveLength(1);
  });
});

describe('predictions', () => {
  const list = lab.predictions!;
  const shown = (count: number) =>
    plain(
      renderToStaticMarkup(
        <PredictionForm
          list={Array.from({ length: count }, (_, i) => ({ ...list[0]!, id: `p${i}` }))}
          given={{}}
          onChange={() => undefined}
        />,
      ),
    );
  it('are two at most on the first screen, and the others one press away', () => {
    expect(shown(2)).not.toContain('more question');
    expect(shown(3)).toContain('One more question');
    expect(shown(5)).toContain('3 more questions');
  });
  it('stand beside the measurement, struck out where it differs', () => {
    const { predictions } = resultViews(results(), lab);
    const html = renderToStaticMarkup(<Comparison list={predictions} over />);
    expect(plain(html)).toContain('50 µs123 µs2.5× your prediction.');
    expect(plain(html)).toContain(
      'That of the largest bufferThat of the smallest bufferNot as you predicted.',
    );
    expect(html).toMatch(/data-shows="result-predicted" class="[^"]*line-through[^"]*">That of the largest/);
    const none = predictions.map((one) => ({ ...one, predicted: null, verdict: null, held: null }));
    expect(plain(renderToStaticMarkup(<Comparison list={none} over />))).toContain('none123 µs');
    expect(renderToStaticMarkup(<Comparison list={none} over={false} />)).toBe('');
  });
  it('are sent where they are complete', () => {
    expect(guesses(list, {})).toEqual({});
    expect(guesses(list, { longest: '1,200', slower: 'largest' })).toEqual({
      predictions: { longest: 1200, slower: 'largest' },
    });
    expect(guesses(list, { longest: 'soon' })).toEqual({});
  });
});

describe('the catalog', () => {
  it('is in tracks, and a search leaves those labs that have all its words', () => {
    expect(searchLabs(CATALOG, '').map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Foundations', 'RDMA versus sockets']),
    );
    const found = (query: string) =>
      searchLabs(CATALOG, query).flatMap(({ labs }) => labs.map(({ id }) => id));
    expect(found('TCP bulk')).toEqual(['bulk']);
    expect(found('nonsense')).toEqual([]);
  });
});

describe('a missing capability', () => {
  it('is named with its cure', () => {
    const device = { name: 'rxe0', capabilities: [], lacks: [] } as never;
    const params = { properties: { link: { choiceNeeds: { shm: ['link'] } } } };
    expect(missingText({ needs: [], params }, { link: 'udp' }, [device])).toBeNull();
    expect(missingText({ needs: ['faults'], params }, { link: 'udp' }, [device])?.what).toBe(
      'This lab needs fault injection, which rxe0 does not offer.',
    );
    expect(missingText({ needs: [], params }, { link: 'shm' }, [device])?.what).toBe(
      'This lab needs a choice of link for each queue pair, which rxe0 does not offer.',
    );
  });
});
