import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inTypeScript } from './helpers.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** Examples under their headings: blocks that begin with an import of the package, each followed by its output. */
const examples = readme
  .split(/^#+ /m)
  .flatMap((section) =>
    [...section.matchAll(/```ts\n(import [\s\S]*?)```\n[^`]*?```\n([\s\S]*?)```/g)].map(
      ([, program, output]) => ({ title: section.split('\n')[0]!, program: program!, output: output! }),
    ),
  );

describe('the examples of the README print what the README says', () => {
  it('for every area', () => {
    expect(examples.length).toBe(10);
  });

  it.each(examples)('$title', async ({ program, output }) => {
    expect(program).toContain("from '@verbslab/verbs'");
    expect(await inTypeScript(program)).toMatchObject({ code: 0, stdout: output });
  });
});
