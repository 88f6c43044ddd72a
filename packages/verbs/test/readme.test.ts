import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inTypeScript } from './helpers.js';

it('the example of the README prints what the README says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const blocks = [...readme.matchAll(/```(\w*)\n([\s\S]*?)```/g)];
  const example = blocks.find(([, language]) => language === 'ts')![2]!;
  const output = blocks.find(([, language]) => language === '')![2]!;
  expect(example).toContain("from '@verbslab/verbs'");
  expect(await inTypeScript(example)).toMatchObject({ code: 0, stdout: output });
});
