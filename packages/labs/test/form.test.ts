import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, endpointNames, type EmittedEvent, type HeadlineSpec } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  bulk,
  defineLab,
  drawSelfChecks,
  formFaults,
  headline,
  labCode,
  labText,
  LABS,
  numberCheck,
  pageFaults,
  readText,
  resultWriter,
  textFaults,
  type LabDefinition,
} from '../src/index.js';
import { TEXTS } from '../src/generated/texts.js';
import example from './example/index.js';

const folder = (path: string): string => join(import.meta.dirname, path);
const read = (path: string): string => readFileSync(folder(path), 'utf8');
const ids = LABS.map(({ description }) => description.id);

describe('the catalog', () => {
  it('finds every lab by its folder', () => {
    const folders = readdirSync(folder('../src')).filter((name) =>
      existsSync(folder(`../src/${name}/index.ts`)),
    );
    expect([...ids].sort()).toEqual(folders.sort());
  });

  it.each(LABS.map((lab) => [lab.description.id, lab] as const))('%s fits together', (id, lab) => {
    expect(formFaults(lab)).toEqual([]);
    const markdown = TEXTS[id];
    if (markdown === undefined) throw new Error(`${id} has no text.md`);
    const { text, faults } = readText(markdown);
    expect([...faults, ...textFaults(text, lab.description, ids)]).toEqual([]);
    expect(labText(id)).toEqual(text);
  });

  it.each(LABS.map((lab) => [lab.description.id, lab] as const))('%s has a complete page', (id, lab) => {
    expect(pageFaults(lab, labText(id)!)).toEqual([]);
  });
});

describe('the headline of a run', () => {
  // Labels of choices, of facts about the device, and of codes that stand for words.
  const NOT_FOUND = /^(Immediate|Status|Path MTU|Active MTU|Size|Entries|Receive buffer|Tag)\b/;

  it.each(LABS.map(({ description }) => [description.id, description] as const))(
    '%s says what was found',
    (id, { results = {} }) => {
      const [first] = results.figures ?? [];
      // The lab device-facts is about the device itself.
      if (id !== 'device-facts') expect(first?.label ?? '').not.toMatch(NOT_FOUND);
    },
  );

  it('says how often a WRITE with immediate was sent that found no RECV', () => {
    const lab = LABS.find(({ description }) => description.id === 'write-imm')!.description;
    const figures = { immediate: { value: 305_419_896 }, tries: { value: 3 } };
    expect(headline({ figures }, lab)).toMatch(/^Times sent without a RECV: 3;/);
  });
});

describe('the programs of a lab', () => {
  it('are all on its page: a code folder holds nothing else', () => {
    const shown = LABS.flatMap(({ description: { id } }) =>
      labCode(id).map(({ files }) => `${id}/code/${files[0]?.name}`),
    );
    const found = ids.flatMap((id) => {
      const path = folder(`../src/${id}/code`);
      return existsSync(path) ? readdirSync(path).map((name) => `${id}/code/${name}`) : [];
    });
    expect(shown.sort()).toEqual(found.sort());
    expect(shown.length).toBeGreaterThan(0);
  });

  it('come with what they share', () => {
    const [c] = labCode('minimal-flow');
    expect(c?.files.map(({ name }) => name)).toEqual(['main.c', 'common.h']);
    expect(c?.files.map(({ text }) => text)).toEqual([
      read('../src/minimal-flow/code/main.c'),
      read('../code/common.h'),
    ]);
    expect(labCode('latency')[0]?.files.map(({ name }) => name)).toEqual(['main.c', 'common.h', 'clock.h']);
    expect(labCode('clinic-tour')).toEqual([]);
  });
});

describe('the example of CONTRIBUTING.md', () => {
  const markdown = read('example/text.md');

  it('fits together, and so does its text', () => {
    expect(formFaults(example)).toEqual([]);
    const { text, faults } = readText(markdown);
    expect([...faults, ...textFaults(text, example.description, ids)]).toEqual([]);
  });

  it('stands there as it is', () => {
    const shown = read('../../../CONTRIBUTING.md');
    expect(shown).toContain(read('example/index.ts').replaceAll('../../src/', '../'));
    expect(shown).toContain(markdown);
  });

  it('has endpoints by a parameter', () => {
    const names = (workers: number): string[] =>
      endpointNames(example.description.roles, { workers }).map(({ name }) => name);
    expect(names(3)).toEqual(['worker-1', 'worker-2', 'worker-3']);
    expect(names(1)).toEqual(['worker-1']);
  });
});

describe('a text', () => {
  const markdown = read('example/text.md');
  const faults = (change: (text: string) => string): string[] => {
    const found = readText(change(markdown));
    return [...found.faults, ...textFaults(found.text, example.description, ids)];
  };

  it('holds paragraphs, lists, links and values', () => {
    const { happened, goals } = readText(markdown).text;
    expect(goals[0]).toMatchObject({ kind: 'list', ordered: false });
    expect(happened).toHaveLength(1);
    const [paragraph] = happened;
    expect(paragraph?.kind === 'paragraph' && paragraph.children.map(({ kind }) => kind)).toEqual([
      'value',
      'text',
      'value',
      'text',
      'value',
      'text',
      'panel',
      'text',
    ]);
  });

  it('holds side notes, whose values must be declared too', () => {
    const note = (figure: string) => (text: string) =>
      text.replace('## Traps', `> It took {{figure:${figure}}}.\n\n## Traps`);
    expect(readText(note('longest')(markdown)).text.happened.at(-1)?.kind).toBe('quote');
    expect(faults(note('longest'))).toEqual([]);
    expect(faults(note('shortest')).join()).toContain('names no figure');
  });

  it.each([
    [
      'a figure that is not declared',
      '{{figure:longest}}',
      '{{figure:shortest}}',
      '{{figure:shortest}} names no figure',
    ],
    [
      'what a check found that is not declared',
      '{{figure:longest}}',
      '{{finding:largest}}',
      '{{finding:largest}} names no finding',
    ],
    [
      'a prediction that is not declared',
      '{{figure:longest}}',
      '{{outcome:fastest}}',
      '{{outcome:fastest}} names no outcome',
    ],
    ['a value of no kind', '{{figure:longest}}', '{{figur:longest}}', '{{figur:longest}} is no value'],
    ['a panel that is not watched', 'panel:verbs', 'panel:cpu', 'The panel “cpu”'],
    ['a panel that is none', 'panel:verbs', 'panel:verb', 'The panel “verb”'],
    ['a lab that is none', 'panel:verbs', 'lab:nonsense', 'There is no lab “nonsense”'],
    ['a missing section', '## Traps', '## Trap', 'Its sections are'],
    [
      'an empty section',
      '- [ibv_reg_mr(3)](https://man7.org/linux/man-pages/man3/ibv_reg_mr.3.html)',
      '',
      'empty',
    ],
    ['HTML', 'Programs that', '<b>Programs</b> that', 'cannot be shown'],
  ])('may not have %s', (_, from, to, fault) => {
    expect(faults((text) => text.replace(from, to)).join('\n')).toContain(fault);
  });
});

describe('a page', () => {
  const text = labText('bulk')!;
  const faults = (change: Partial<typeof bulk>, without: Partial<typeof text> = {}): string =>
    pageFaults({ ...bulk, ...change }, { ...text, ...without }).join('\n');

  it('is complete with questions, traps, sources, a program and a next lab', () => {
    expect(faults({})).toBe('');
    expect(faults({ selfChecks: bulk.selfChecks.slice(0, 1) })).toContain('It has 1 self-checks');
    const choices = bulk.selfChecks.filter(({ kind }) => kind === 'choice');
    expect(faults({ selfChecks: choices })).toContain('No self-check draws its numbers');
    expect(faults({}, { traps: [] })).toContain('fewer than 2 traps');
    expect(faults({}, { sources: [] })).toContain('no sources');
    expect(faults({}, { matters: text.matters.slice(0, -1) })).toContain('names no next lab');
    expect(faults({ withoutProgram: null })).toContain('It has no program');
    expect(pageFaults({ ...LABS[0]!, withoutProgram: 'Too long.' }, labText('minimal-flow')!)).toEqual([
      'It has a program and says why it has none.',
    ]);
  });
});

describe('a declaration', () => {
  type Form = Partial<LabDefinition<z.ZodObject>>;
  const withForm = (form: Form) =>
    formFaults(
      defineLab({
        id: 'x',
        title: '',
        question: '',
        summary: '',
        short: '',
        why: '',
        buildsOn: [],
        picture: { sample: 'write', focus: ['wire'] },
        track: 'memory',
        minutes: 1,
        params: z.object({ n: z.int().min(1).max(4).default(2), wide: z.int().default(2) }),
        roles: [],
        watch: [],
        checks: [],
        run: () => Promise.resolve(),
        ...form,
      }),
    ).join('\n');
  const figure = { name: 'speed', label: 'Speed' };

  it('says what does not fit', () => {
    expect(withForm({ results: { figures: [figure, figure] } })).toContain('“speed” is declared twice');
    const headline = (one: HeadlineSpec): string =>
      withForm({ results: { figures: [figure], headline: one } });
    expect(headline({ figures: ['speed'] })).toBe('');
    expect(headline({ figures: ['pace'] })).toBe('The headline names “pace”, which is not declared.');
    expect(headline({ curve: 'speed' })).toContain('“speed”, which is not declared');
    expect(headline({ table: 'ways', columns: ['a', 'b', 'c', 'd', 'e', 'f'] })).toContain(
      'more than 5 columns',
    );
    expect(withForm({ variations: [{ name: 'more', title: '', params: { n: 5 } }] })).toContain(
      '“more” does not fit',
    );
    const same = [
      { name: 'no-other', title: '', params: { n: 2 } },
      { name: 'three', title: '', params: { n: 3 } },
      { name: 'again', title: '', params: { n: 3, wide: 2 } },
    ];
    expect(withForm({ variations: same })).toBe(
      'The variation “no-other” is the same as the defaults.\nThe variation “again” is the same as “three”.',
    );
    const bound = [{ param: 'n', bound: 'at-most', of: { param: 'wide' }, why: '' }] as const;
    expect(
      withForm({ rules: [...bound], variations: [{ name: 'wrong', title: '', params: { n: 4 } }] }),
    ).toContain('“wrong” does not fit');
    expect(withForm({ predictions: [{ kind: 'number', id: 'p', text: '', figure: 'speed' }] })).toContain(
      'names no figure of the lab: “speed”',
    );
    expect(withForm({ roles: [{ name: 'r', title: '', count: { param: 'wide' } }] })).toContain(
      '“wide” counts',
    );
    expect(withForm({ roles: [{ name: 'r', title: '', count: { param: 'm' } }] })).toContain(
      'names no whole-number',
    );
    expect(withForm({ intends: [{ role: 'r', most: 1, statuses: [10] }] })).toContain(
      '“r”, which is no role',
    );
    const endless = numberCheck({
      id: 'q',
      numbers: { d: [0] },
      text: () => '',
      answer: ({ d }) => 1 / d,
      worked: () => '',
    });
    expect(withForm({ selfChecks: [endless] })).toContain('“q” is no number');
  });
});

describe('self-checks', () => {
  it('draw the same numbers for the same seed, and their answers fit them', () => {
    const drawn = [1, 2, 3, 4, 5, 6].map((seed) => drawSelfChecks(example.selfChecks, seed));
    expect(drawSelfChecks(example.selfChecks, 1)).toEqual(drawn[0]);
    const answers = drawn.flatMap(([first]) => (first?.kind === 'number' ? [first.answer] : []));
    expect(new Set(answers).size).toBeGreaterThan(1);
    for (const answer of answers) expect([1024, 4096, 16_384]).toContain(answer);
  });
});

it('asks in the bulk lab for the completions of 1 GiB in messages of 4 MiB, one in 16 signaled', () => {
  const drawn = Array.from({ length: 50 }, (_, seed) => drawSelfChecks(bulk.selfChecks, seed)).flat();
  const asked = drawn.find(({ text }) => /1 GiB in WRITEs of 4 MiB and signals one in every 16/.test(text));
  expect(asked).toMatchObject({ answer: 16 });
  expect(asked!.worked).toContain('256 work requests');
  expect(asked!.worked).toContain('1,048,576 packets at a path MTU of 1024 B');
});

describe('results', () => {
  const events: EmittedEvent[] = [];
  const results = resultWriter(example.description, (event) => events.push(event));

  it('are events, with null for what is no number', () => {
    results.figure('longest', NaN, { n: 3 });
    results.row('regions', { worker: 'a', time: Infinity });
    results.point('cost', { x: 1, y: 2, series: 'first', max: 3 });
    results.outcome('slower', 'largest');
    expect(events).toEqual([
      { kind: 'figure', name: 'longest', value: null, n: 3 },
      { kind: 'row', table: 'regions', cells: { worker: 'a', time: null } },
      { kind: 'point', curve: 'cost', x: 1, y: 2, series: 'first', max: 3 },
      { kind: 'outcome', prediction: 'slower', value: 'largest' },
    ]);
  });

  it.each([
    ['figure', () => results.figure('shortest', 1)],
    ['table', () => results.row('region', {})],
    ['column of “regions”', () => results.row('regions', { age: 1 })],
    ['series of “cost”', () => results.point('cost', { x: 1, y: 1 })],
    ['prediction', () => results.outcome('faster', 1)],
  ])('must be declared: %s', (what, write) => {
    expect(write).toThrow(AppError);
    expect(write).toThrow(`the lab declares no ${what}`);
  });
});
