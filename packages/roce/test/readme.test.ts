import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const block = (language: string): string => new RegExp('```' + language + '\\n([^]*?)```').exec(readme)![1]!;

it('the example of the README prints what it says', async () => {
  const file = fileURLToPath(new URL('./readme-example.tmp.ts', import.meta.url));
  writeFileSync(file, block('ts').replace("'@verbslab/roce'", "'../src/index.js'"));
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
    expect(log.mock.calls.map((c) => String(c[0])).join('\n')).toBe(block('text').trimEnd());
  } finally {
    log.mockRestore();
    rmSync(file);
  }
});
