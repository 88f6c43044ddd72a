import { parseQuantity } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { isNear, LABS, readNumber } from '../src/index.js';
import { drawExercise, EXERCISES } from '../src/exercises/catalog.js';

it.each<[string | undefined, number, string[]]>([
  [undefined, 1500, ['1500', '1,500', '0x5dc', ' 1500 ', '1.5e3']],
  ['B', 2 ** 21, ['2 MiB', '2097152', '2,097,152', '0x200000', '0x200000 B', ' 2M ', '2048 KiB']],
  ['KiB', 64, ['64', '64 KiB', '64 kib', '65536 B', '0.0625 MiB']],
  ['MiB', 2, ['2', '2 MiB', '2,048 KiB', '2097152 B']],
  ['s', 0.5, ['0.5', '0.5 s', '500 ms', '500,000 us']],
  ['ms', 2, ['2', '2ms', '2000 µs', '2000 μs', '0.002 s', '2,000,000 ns']],
  ['µs', 55, ['55', '55 µs', '55 μs', '55 us', '0.055 ms', '55000 ns']],
  ['ns', 1500, ['1500', '1500 ns', '1.5 µs', '0.0015 ms']],
  ['Gb/s', 0.25, ['0.25', '0.25 Gb/s', '0.25 gb/s', '250 Mb/s', '250000 kb/s', '250000000 b/s']],
  ['M/s', 1.5, ['1.5', '1.5 M/s', '1500 k/s', '1500000 /s', '1,500,000/s']],
  ['k msg/s', 250, ['250', '250 k msg/s', '250000 msg/s', '0.25 M msg/s']],
  ['%', 12.5, ['12.5', '12.5 %', '12.5%']],
  ['packets', 1, ['1', '1 packets', '1 packet', '1 Packet']],
  ['round trips', 3, ['3', '3 round trips', '3  round trips']],
])('in %s, %d may be written in several ways', (unit, value, ways) => {
  for (const typed of ways) expect(readNumber(typed, unit), typed).toBeCloseTo(value, 9);
});

it.each<[string | undefined, string[]]>([
  [undefined, ['', 'two', '5 packets', '0x', '1e']],
  ['B', ['2 GHz', '2 s', '1 packet']],
  ['ms', ['2 MiB', '2 m']],
  ['Gb/s', ['250 MB/s', '3 packets/s', '/s', '2 msg/s']],
  ['packets', ['packets', '2 messages', '2 KiB']],
])('in %s, what counts something else is no answer', (unit, ways) => {
  for (const typed of ways) expect(readNumber(typed, unit), typed).toBeNull();
});

it('reads the answer of every question in its own unit, as parseQuantity does', () => {
  const units = new Set<string | undefined>();
  for (const { selfChecks } of LABS)
    for (const check of selfChecks) if (check.kind === 'number') units.add(check.unit);
  for (const exercise of EXERCISES)
    for (const field of drawExercise(exercise, 1).fields) if (field.kind === 'number') units.add(field.unit);
  expect(units.size).toBeGreaterThan(10);
  for (const unit of units) {
    expect(readNumber(`12.5 ${unit ?? ''}`, unit), unit).toBe(12.5);
    expect(readNumber('12.5', unit)).toBe(parseQuantity('12.5', unit));
  }
});

it('lets an answer miss by its tolerance', () => {
  expect([98, 97.9, 102].map((given) => isNear(given, 100, 0.02))).toEqual([true, false, true]);
  expect(isNear(0, 0, 0)).toBe(true);
});
