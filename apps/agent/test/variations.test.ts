/**
 * Every lab of the catalog with each of its named variations, on the embedded device. `npm run nightly` runs this file,
 * since it takes too long for every change. Each run is judged like those of the catalog, and so is the text of its
 * page, which is printed.
 */
import { LABS, resultViews, type TableView } from '@verbslab/labs';
import type { LabDescription, Variation } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { table } from '../src/cli/terminal.js';
import { FACTS } from './catalog/index.js';
import { expectTimes, expectWhole, skippedOf, told } from './catalog/judge.js';
import { pageText } from './catalog/page-text.js';
import { runOn, type Ran } from './catalog/run-lab.js';
import { LACKS, MAY_LACK } from './catalog/variations.js';
import { ownAddress } from './helpers/own-address.js';

ownAddress('127.0.0.90');

/** Longest run of one variation: some measure for many seconds, and a busy machine takes twice as long. */
const VARIATION_MS = 600_000;

/** Words that are no value of a run, wherever they occur. */
const NO_VALUE = /\b(NaN|undefined|Infinity|null|\[object Object\])\b/;

const tableText = ({ label, columns, rows }: TableView): string =>
  `${label}\n${table([columns.map((one) => `${one.label} ${one.unit}`.trim()), ...rows])}`;

/**
 * The results of a run as text, for people who read it and for the search for missing values. `reading`: the text of
 * its lab.
 */
function said(
  lab: LabDescription,
  { title, text = '' }: Variation,
  { result }: Ran,
  reading: string,
): string {
  const { tables, curves } = resultViews(result.results, lab);
  return [
    told(`${lab.id}: ${title}. ${text}`, lab, result),
    `  answer: ${result.answer ?? ''}`,
    ...(result.notes ?? []).map((note) => `  note: ${note.text}`),
    ...[...tables, ...curves.map((curve) => curve.table)].map(tableText),
    reading,
  ].join('\n');
}

const VARIATIONS = LABS.flatMap(({ description: lab }) =>
  (lab.variations ?? []).map((variation) => [lab.id, variation.name, lab, variation] as const),
);

it('are known, those that lack something', () => {
  const names = VARIATIONS.map(([lab, name]) => `${lab} ${name}`);
  expect(Object.keys(LACKS).filter((one) => !names.includes(one))).toEqual([]);
  expect(Object.keys(MAY_LACK).filter((one) => !VARIATIONS.some(([lab]) => lab === one))).toEqual([]);
});

describe('the variations of the catalog', () => {
  it.each(VARIATIONS)(
    '%s, %s: holds, and its page has something to say',
    async (id, name, lab, variation) => {
      const ran = await runOn('auto', { lab: id, variation: name });
      const { text, gaps } = pageText(lab, ran.record);
      const page = said(lab, variation, ran, text);
      console.info(page);
      const { without, may: alwaysMay = [] } = FACTS[id]!;
      const lacks = LACKS[`${id} ${name}`];
      const may = [...alwaysMay, ...(MAY_LACK[id]?.may ?? []), ...(lacks?.may ?? [])];
      const unless = (names: readonly string[]) => names.filter((one) => !may.includes(one)).sort();
      expectWhole(lab, ran.result, [...may, ...(lacks?.predictions ?? [])], lacks?.tables);
      expect(unless(skippedOf(ran.result))).toEqual(unless(lacks?.checks ?? without?.('auto') ?? []));
      expect(unless(gaps)).toEqual(unless(lacks?.values ?? []));
      expect(page).not.toMatch(NO_VALUE);
      expectTimes(lab, ran);
    },
    VARIATION_MS,
  );
});
