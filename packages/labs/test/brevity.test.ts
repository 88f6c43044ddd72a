/** A lab is read before it is run: its texts have limits. */
import { describe, expect, it } from 'vitest';
import { drawSelfChecks, LABS, type Lab } from '../src/index.js';
import { CASES } from '../src/failures/cases/index.js';
import { TEXTS } from '../src/generated/texts.js';

const MOST_WORDS = 520;
const MOST_OF_SUMMARY = 32;
const MOST_OF_WHY = 12;
const LONGEST_SHORT = 16;
/** Labs that take nothing for granted. */
const ROOTS = ['minimal-flow', 'device-facts'];

const descriptions = LABS.map(({ description }) => description);
const ids = descriptions.map(({ id }) => id);

/** Names of failures: the labs of the clinic list all of them, and nobody reads such a list to its end. */
const NAMES = CASES.map(({ name }) => name);

/** Words of a text with live values, each of which counts as one; links count by their titles. */
const wordsIn = (text: string): number =>
  text
    .replaceAll(/\{\{.*?\}\}/g, 'value')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** The text of the page without its titles, sources and commands. */
const prose = (markdown: string): string =>
  markdown
    .split('\n## Sources')[0]!
    .replaceAll(/^## .*$/gm, '')
    .replaceAll(/^```.*?^```$/gms, '');

function wordsOf({ description, selfChecks }: Lab): number {
  const { id, question, summary, roles, predictions = [], variations = [], checks } = description;
  const options = (one: { text: string; options?: readonly { text: string }[] }): string[] => [
    one.text,
    ...(one.options ?? []).map(({ text }) => text),
  ];
  return [
    question,
    summary,
    ...[...roles, ...variations, ...checks].map(({ text = '' }) => text),
    ...predictions.flatMap((one) => options(one)),
    ...drawSelfChecks(selfChecks, 1).flatMap((one) => [...options(one), one.worked]),
    prose(TEXTS[id] ?? ''),
  ]
    .filter((text) => !NAMES.some((name) => text.startsWith(name)))
    .reduce((sum, text) => sum + wordsIn(text), 0);
}

/** The labs that `id` builds on, directly or not. */
function below(id: string, seen = new Set<string>()): Set<string> {
  for (const one of descriptions.find((lab) => lab.id === id)?.buildsOn ?? [])
    if (!seen.has(one)) below(one, seen.add(one));
  return seen;
}

describe.each(LABS)('$description.id', (lab) => {
  const { id, summary, short = '', why = '', buildsOn, picture, fabric } = lab.description;

  it('is short', () => {
    expect(wordsOf(lab)).toBeLessThanOrEqual(MOST_WORDS);
    expect(wordsIn(summary)).toBeLessThanOrEqual(MOST_OF_SUMMARY);
  });

  it('has a name on the map of labs, a reason and a picture', () => {
    expect(short).not.toBe('');
    expect(short.length).toBeLessThanOrEqual(LONGEST_SHORT);
    expect(why).not.toBe('');
    expect(wordsIn(why)).toBeLessThanOrEqual(MOST_OF_WHY);
    // Nothing on one machine is a picture of a fabric.
    if (!fabric) expect(picture).toBeDefined();
  });

  it('builds on one or two labs, and not on itself', () => {
    expect((buildsOn ?? []).filter((one) => !ids.includes(one))).toEqual([]);
    expect(below(id).has(id)).toBe(false);
    if (ROOTS.includes(id)) expect(buildsOn).toEqual([]);
    else expect([1, 2]).toContain(buildsOn?.length);
  });
});

it('has no two labs of one name on the map', () => {
  const names = descriptions.flatMap(({ short }) => (short === undefined ? [] : [short]));
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
