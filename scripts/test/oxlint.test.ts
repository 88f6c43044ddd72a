import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import tseslint from 'typescript-eslint';
import { expect, it } from 'vitest';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8'));

it('Oxlint has every rule that typescript-eslint recommends and that needs types', () => {
  const { rules } = read('.oxlintrc.json') as { rules: Record<string, unknown> };
  const recommended = tseslint.configs.recommendedTypeCheckedOnly.flatMap(({ rules = {} }) =>
    Object.entries(rules).flatMap(([name, level]) =>
      level === 'error' && name.startsWith('@') ? [name] : [],
    ),
  );
  expect(recommended.length).toBeGreaterThan(20);
  expect(Object.keys(rules)).toEqual(
    expect.arrayContaining(recommended.map((name) => name.replace('@typescript-eslint/', 'typescript/'))),
  );
});
