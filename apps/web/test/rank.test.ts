import { LABS } from '@verbslab/labs';
import { describe, expect, it, vi } from 'vitest';
import { openLab } from '../src/actions/catalog';
import { rank } from '../src/actions/rank';
import { ACTIONS, available } from '../src/actions/table';
import { REFERENCE } from '../src/actions/reference';
import type { Action, PageHandle } from '../src/actions/types';
import { context } from './lib/action-context';

const RUN_PAGE: PageHandle = {
  'run-lab': vi.fn(),
  'cancel-run': vi.fn(),
  'pause-view': vi.fn(),
  'toggle-tables': vi.fn(),
  'export-pcapng': vi.fn(),
  'export-csv': vi.fn(),
  'export-bundle': vi.fn(),
  'reset-layout': vi.fn(),
};

const go = (name: string, label: string, keywords: string): Action => ({
  name,
  label,
  group: 'Go',
  keywords,
  perform: vi.fn(),
});

/** Actions on the page of a run, with a lab and a run of the history. */
function listed(page: PageHandle = RUN_PAGE): Action[] {
  return [
    ...available(context(page)),
    go('lab-bulk', 'How does RDMA compare to TCP?', 'lab bulk RDMA and TCP on bulk transfers'),
    go('run-x', 'Run 17: Bulk transfer', 'run bulk done'),
  ];
}

describe('the command palette', () => {
  it.each([
    ['dark', 'toggle-theme'],
    ['theme', 'toggle-theme'],
    ['panels', 'reset-layout'],
    ['cancel', 'cancel-run'],
    ['stop', 'cancel-run'],
    ['capture', 'export-pcapng'],
    ['wireshark', 'export-pcapng'],
    ['bundle', 'export-bundle'],
    ['help', 'show-keys'],
    ['shortcuts', 'show-keys'],
    ['packets', 'go-packets'],
    ['home', 'go-home'],
    ['run', 'run-lab'],
    ['run 17', 'run-x'],
    ['17', 'run-x'],
    ['bulk tcp', 'lab-bulk'],
    ['tab', 'toggle-tables'],
    ['  CANCEL  ', 'cancel-run'],
  ])('gives for “%s” first: %s', (query, name) => {
    expect(rank(listed(), query)[0]?.name).toBe(name);
  });

  it('finds nothing where a word is nowhere', () => {
    expect(rank(listed(), 'cancel zebra')).toEqual([]);
  });

  it('offers no action that the page cannot do', () => {
    expect(rank(listed({}), 'cancel').map((a) => a.name)).toEqual([]);
  });

  it('finds every action by its own label first', () => {
    for (const action of ACTIONS) {
      expect(rank(ACTIONS, action.label)[0]?.name).toBe(action.name);
    }
  });
});

describe('what the palette finds besides actions', () => {
  const first = (query: string, actions: readonly Action[] = REFERENCE): string | undefined =>
    rank([...actions], query)[0]?.name;

  it('terms of the field, counters and tools, by their names', () => {
    expect(first('rkey')).toBe('term-rkey');
    expect(first('rnr_nak_retry_err') ?? first('rcvd_rnr_err')).toMatch(/^counter-/);
    expect(first('ib_write_lat')).toBe('tool-ib_write_lat');
    expect(rank([...REFERENCE], 'rkey')[0]).toMatchObject({ meaning: expect.stringMatching(/\w/) as string });
  });

  const everything = [
    ...available(context()),
    ...LABS.map(({ description }) => openLab(description)),
    ...REFERENCE,
  ];

  it.each([
    ['loss', 'lab-loss-amplification'],
    ['1 % loss', 'lab-loss-cost'],
    ['incast', 'lab-incast'],
    ['overrun', 'lab-cq-overrun'],
    ['write', 'lab-write-read'],
    ['qp', 'term-qp'],
    ['ib_write', 'tool-ib_write_bw'],
  ])('labs, terms and tools by what their names begin with: “%s” gives %s', (query, name) => {
    expect(first(query, everything)).toBe(name);
  });

  it('labs by their names on the map and by their tracks', () => {
    const { description } = LABS[0]!;
    const lab = openLab({ ...description, short: 'Zebra', track: 'loss' });
    expect(rank([lab], 'zebra')).toEqual([lab]);
    expect(rank([lab], 'delay')).toEqual([lab]);
  });

  it('whole words first, then words that begin so, then letters inside of words', () => {
    const of = (label: string): Action => go(label, label, '');
    const actions = [of('Replossing'), of('Lossless networks'), of('What does loss cost?')];
    expect(rank(actions, 'loss').map(({ name }) => name)).toEqual([
      'What does loss cost?',
      'Lossless networks',
      'Replossing',
    ]);
    // Letters with others between them are no match.
    expect(rank([of('Go to the explanations')], 'loss')).toEqual([]);
    // Every term has the keyword “glossary”, which is not shown.
    const found = rank(REFERENCE, 'loss');
    expect(found.length).toBeLessThan(10);
    for (const { label, keywords } of found)
      expect(/loss/i.test(label) || /\bloss/i.test(keywords), label).toBe(true);
    expect(rank(REFERENCE, 'glossary').length).toBeGreaterThan(50);
  });
});
