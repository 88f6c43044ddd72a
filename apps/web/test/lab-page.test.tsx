import { labCode, readText, resultViews, type LabText } from '@verbslab/labs';
import { noResults, takeResult, type LabResults } from '@verbslab/protocol';
import { xScale, yScale } from '@verbslab/charts/data';
import { renderToStaticMarkup } from 'react-dom/server';
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import example from '../../../packages/labs/test/example/index.js';
import { searchLabs } from '../src/model/catalogue-search';
import { CATALOGUE } from '../src/labs/catalogue';
import { CodeTabs } from '../src/labs/code/code-tabs';
import { Lab } from '../src/app/labs/[id]/lab';
import { missingText } from '../src/labs/missing';
import { glossed } from '../src/parts/text/glossed';
import { LabReading } from '../src/labs/reading/lab-reading';
import { guesses } from '../src/labs/reading/prediction-form';
import { readingOf } from '../src/labs/reading/reading-of';
import { LabResultsView } from '../src/parts/results/lab-results';
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
    .replace(/<!-- -->|<[^>]+>/g, '')
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

describe('the page of a lab', () => {
  const html = renderToStaticMarkup(
    <Lab
      lab={lab}
      text={glossed(text)}
      checks={[[{ ...readQuestion(), kind: 'number' }]]}
      code={labCode('minimal-flow')}
      withoutProgram={null}
    />,
  );

  function readQuestion() {
    return { id: 'pages', text: 'How many pages?', answer: 1024, tolerance: 0, worked: '', unit: 'pages' };
  }

  it('reads from the question to the sources', () => {
    const order = [
      lab.question,
      'What you will be able to explain',
      'Predict',
      'Parameters',
      'What happened',
      'Check yourself',
      'The lab as a program',
      'Traps',
      'Where it matters',
      'Sources',
    ];
    const places = order.map((title) => plain(html).indexOf(title));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
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

  it.each(CATALOGUE.map((own) => [own.id, own] as const))('exists for %s', (id, own) => {
    expect(renderToStaticMarkup(<Lab lab={own} {...readingOf(id)} />)).toContain(own.question);
  });
});

describe('results', () => {
  const html = renderToStaticMarkup(<LabResultsView lab={lab} results={results()} record={done} />);

  it('show predictions beside measurements, with what differs', () => {
    expect(plain(html)).toContain('You: 50 µsThis run: 123 µs2.5× your prediction.');
    expect(plain(html)).toContain(
      'You: That of the largest bufferThis run: That of the smallest bufferNot as you predicted.',
    );
  });

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
    const html = renderToStaticMarkup(
      <LabReading
        lab={lab}
        text={glossed(text)}
        checks={[]}
        code={[]}
        withoutProgram="A model, not a program."
        run={{ record: done, results: results() }}
      />,
    );
    expect(plain(html)).toContain(
      '3 workers registered buffers of up to 64 KiB. The longest registration took 123 µs.',
    );
    expect(html).toContain(`href="/runs/view?id=${done.id}#panel-verbs"`);
    expect(plain(html)).toContain('No example programA model, not a program.');
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
  it('are sent where they are complete', () => {
    expect(guesses(list, {})).toEqual({});
    expect(guesses(list, { longest: '1,200', slower: 'largest' })).toEqual({
      predictions: { longest: 1200, slower: 'largest' },
    });
    expect(guesses(list, { longest: 'soon' })).toEqual({});
  });
});

describe('the catalogue', () => {
  it('is in tracks, and a search leaves those labs that have all its words', () => {
    expect(searchLabs(CATALOGUE, '').map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Foundations', 'RDMA versus sockets']),
    );
    const found = (query: string) =>
      searchLabs(CATALOGUE, query).flatMap(({ labs }) => labs.map(({ id }) => id));
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
