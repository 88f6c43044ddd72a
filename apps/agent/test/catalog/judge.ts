/**
 * Requirements of every run of a lab of the catalog: a complete run, with its checks passed and the times of its
 * packets.
 */
import { headlineOf, quantityText, resultViews, TOO_BUSY, type Headline } from '@verbslab/labs';
import type { LabDescription, RunResult } from '@verbslab/protocol';
import { expect } from 'vitest';
import { table } from '../../src/cli/terminal.js';
import { expectTimesOfPackets } from '../helpers/request-times.js';
import type { Ran } from './run-lab.js';

/** Text for people who read the log of the test. */
export function told(title: string, lab: LabDescription, { checks, results, transports }: RunResult): string {
  const { figures } = resultViews(results, lab);
  return `${title}\n${table([
    ...checks.map(({ id, ok, applies, detail }) => [
      applies === false ? '  –' : ok ? '  ✓' : '  ✗',
      id,
      detail,
    ]),
    ...figures.map(({ label, shown }) => ['  =', label, `${shown.value} ${shown.unit}`.trim()]),
    ...Object.entries(transports).map(([transport, { goodputGbps }]) => [
      '  =',
      transport,
      quantityText(goodputGbps, { unit: 'Gb/s' }),
    ]),
  ])}`;
}

/** Characters of an answer that fit two lines of a page of 1,440 pixels. */
const TWO_LINES = 280;

/** Reasons of a verdict that a run with the repetitions of its defaults does not give. */
const FEW =
  /; \d+ repetitions are too few for a verdict, \d+ are needed|[:;]? ?one repetition has no spread/g;

/** Numbers of a text, and names in capitals. */
const marksOf = (text: string): string[] => text.match(/\b(?:[A-Z][A-Z_]{2,}|\d(?:[\d.,]*\d)?)\b/g) ?? [];

/** What a headline shows: of a curve, its heights, and places of more than one digit. */
function shownBy(headline: Headline): string[] {
  switch (headline.kind) {
    case 'curve':
      return headline.curve.table.rows.flatMap(([x = '', ...ys]) => [
        ...marksOf(x).filter((mark) => mark.length > 1),
        ...ys.flatMap(marksOf),
      ]);
    case 'table':
      return headline.table.rows.flat().flatMap(marksOf);
    case 'figures':
      return headline.figures.flatMap(({ shown }) => marksOf(shown.value));
  }
}

/** Part by which a number may differ from a point that the eye takes for it: a median of rounds stands beside a distribution of all. */
const NEAR = 0.05;

const isShown = (mark: string, { kind }: Headline, shown: ReadonlySet<string>): boolean => {
  const value = Number(mark.replaceAll(',', ''));
  return (
    shown.has(mark) ||
    (kind === 'curve' &&
      [...shown].some((one) => Math.abs(Number(one.replaceAll(',', '')) / value - 1) <= NEAR))
  );
};

/** Expects an answer of two lines, and a figure of it in the chart beside it. */
export function expectAnswer(lab: LabDescription, { answer = '', results }: RunResult): void {
  expect(answer.replaceAll(FEW, '').length, answer).toBeLessThanOrEqual(TWO_LINES);
  const headline = headlineOf(resultViews(results, lab), lab.results);
  const said = marksOf(answer.replaceAll(FEW, '')).filter((mark) => /\d/.test(mark));
  if (said.length === 0 || headline === null) return;
  const shown = new Set(shownBy(headline));
  expect(
    marksOf(answer).some((mark) => isShown(mark, headline, shown)),
    `${answer} | ${[...shown].join(' ')}`,
  ).toBe(true);
}

/** `may`: predictions whose outcome may be missing. `empty`: tables that have no row. */
export function expectWhole(
  lab: LabDescription,
  { checks, error, problems, results, state }: RunResult,
  may: readonly string[],
  empty: readonly string[] = [],
): void {
  expect(error).toBeUndefined();
  expect(state).toBe('done');
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(checks.map(({ id }) => id).sort()).toEqual(lab.checks.map(({ id }) => id).sort());
  // An error that the lab causes on purpose is no problem of the run, unless the lab did not declare it.
  expect(problems).toBe(0);
  const names = (of: readonly { name: string }[] = []): string[] => of.map(({ name }) => name).sort();
  const filled = (of: object = {}): string[] => Object.keys(of).sort();
  expect(filled(results?.figures)).toEqual(names(lab.results?.figures));
  expect(filled(results?.tables)).toEqual(names(lab.results?.tables).filter((name) => !empty.includes(name)));
  expect(filled(results?.curves)).toEqual(names(lab.results?.curves));
  const { predictions } = resultViews(results, lab);
  expect(predictions.filter(({ id, measured }) => measured === null && !may.includes(id))).toEqual([]);
}

/**
 * Ids of the checks that did not apply to this device or these parameters. Checks that load decided are not among them.
 */
export const skippedOf = ({ checks }: RunResult): string[] =>
  checks
    .filter(({ applies, detail }) => applies === false && !detail.startsWith(TOO_BUSY))
    .map(({ id }) => id);

/** Expects that the run's work requests have the times of their packets. */
export function expectTimes(lab: LabDescription, { events, packets }: Ran): void {
  const recorded = events.filter(({ kind }) => kind === 'wr');
  const endpoints = new Set(events.flatMap(({ endpoint }) => (endpoint === undefined ? [] : [endpoint])));
  let checked = 0;
  for (const endpoint of endpoints) {
    const own = events.filter((event) => event.endpoint === endpoint);
    checked += expectTimesOfPackets(own, packets.get(endpoint) ?? []);
  }
  expect(checked).toBe(recorded.length);
  if (lab.wants.includes('stamps')) expect(checked).toBeGreaterThan(0);
}
