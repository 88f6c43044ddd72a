import { expect, it } from 'vitest';
import { excerptsOf } from '../src/model/source-excerpt';

const TEXT = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join('\n');
const FILES = new Map([['main.c', `${TEXT}\n`]]);
const at = (line: number, file: string | null = '/tmp/x/main.c') => ({ file, line });

it('shows three lines around each call, and lights the calls', () => {
  const [excerpt] = excerptsOf([at(10)], FILES);
  expect(excerpt!.file).toBe('main.c');
  expect(excerpt!.stretches.map((lines) => lines.map(({ number }) => number))).toEqual([
    [7, 8, 9, 10, 11, 12, 13],
  ]);
  expect(excerpt!.stretches[0]!.filter(({ lit }) => lit)).toEqual([
    { number: 10, text: 'line 10', lit: true },
  ]);
});

it('joins calls that are close, keeps others apart, and stops at both ends of the file', () => {
  const [excerpt] = excerptsOf([at(1), at(29), at(5), at(20)], FILES);
  expect(excerpt!.stretches.map((lines) => [lines[0]!.number, lines.at(-1)!.number])).toEqual([
    [1, 8],
    [17, 23],
    [26, 30],
  ]);
});

it('shows nothing of a file that is not recorded, of no line, or beyond the end', () => {
  expect(
    excerptsOf([at(3, '/usr/lib/other.c'), at(3, null), { file: '/m/main.c', line: null }], FILES),
  ).toEqual([]);
  expect(excerptsOf([at(31)], FILES)).toEqual([]);
  expect(excerptsOf([at(3)], new Map())).toEqual([]);
});
