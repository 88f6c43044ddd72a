import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'oxlint-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

it('the configuration of Oxlint finds what it is there for', () => {
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  write('tsconfig.json', '{ "compilerOptions": { "strict": true, "target": "ES2023", "jsx": "preserve" } }');
  write(
    'packages/a.ts',
    'export async function f() { await g(); const spare = 1; }\nasync function g() {}\ng();\n',
  );
  write(
    'apps/web/b.tsx',
    'export function B({ at }: { at: { current: number } }) { if (at) useState(0); return <img src="b" />; }\n',
  );
  write('scripts/c.mjs', 'missing();\n');
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/oxlint'),
    ['--type-aware', '--format', 'json', '.'],
    { cwd: folder, encoding: 'utf8' },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
  expect(diagnostics.map(({ filename, code }) => `${filename} ${code}`)).toEqual(
    expect.arrayContaining([
      'packages/a.ts eslint(no-unused-vars)',
      'packages/a.ts typescript(no-floating-promises)',
      'apps/web/b.tsx react-hooks(rules-of-hooks)',
      'apps/web/b.tsx jsx-a11y(alt-text)',
      'scripts/c.mjs eslint(no-undef)',
    ]),
  );
});
