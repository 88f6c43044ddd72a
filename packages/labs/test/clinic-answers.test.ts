// Answers that the page of the clinic offers for its cases.
import { describe, expect, it } from 'vitest';
import { CATEGORIES, CLINIC_CASES } from '../src/index.js';

const NAMES = new Set(CLINIC_CASES.map(({ name }) => name));

describe.each(CLINIC_CASES)('the case $id', ({ id, category, answers }) => {
  it('is among five different answers', () => {
    expect(new Set(answers).size).toBe(5);
    expect(answers).toContain(id);
    for (const answer of answers) expect(CLINIC_CASES.map((one) => one.id)).toContain(answer);
  });

  it('belongs to a category', () => {
    expect(CATEGORIES.map((one) => one.id)).toContain(category);
  });
});

it('names every case differently', () => {
  expect(NAMES.size).toBe(CLINIC_CASES.length);
});

it('offers the four mistakes that a remote access error does not tell apart', () => {
  const rkey = CLINIC_CASES.find(({ id }) => id === 'wrong-rkey');
  expect(rkey?.answers).toEqual(
    expect.arrayContaining(['wrong-rkey', 'foreign-rkey', 'range-overrun', 'missing-right']),
  );
});

it('puts only shipped functions into their category', () => {
  for (const { id, category } of CLINIC_CASES)
    expect(category === 'functions', id).toBe(id.startsWith('lambda-'));
});
