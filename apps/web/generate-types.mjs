// Runs before `next build` and writes public/generated/types.json for the editor of the workbench. The file holds the
// TypeScript library, the types and docs of @verbslab/verbs, and the few globals of programs. The page fetches it from
// the agent.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const here = import.meta.dirname;
const read = (path) => readFileSync(path, 'utf8');

/** Library files with these names, and the files that they refer to. */
function library(names, found = {}) {
  const folder = dirname(require.resolve('typescript'));
  for (const name of names) {
    const file = `lib.${name.toLowerCase()}.d.ts`;
    if (found[`/lib/${file}`]) continue;
    const text = read(join(folder, file));
    found[`/lib/${file}`] = text;
    library(
      [...text.matchAll(/^\/\/\/ <reference lib="([^"]+)"/gm)].map(([, one]) => one),
      found,
    );
  }
  return found;
}

/** Path of a package: its `exports` lists only its main file. */
const packageOf = (name) => join(here, '../../packages', name);

/** ErrorInfo of @verbslab/protocol: programs need nothing else of that package. */
function errorInfoType() {
  const [declared] =
    /export interface ErrorInfo \{[^}]*\}/.exec(read(join(packageOf('protocol'), 'dist/errors.d.ts'))) ?? [];
  if (!declared) throw new Error('@verbslab/protocol declares no ErrorInfo');
  return `${declared}\n`;
}

/** Globals of a program, from the text that the agent's compiler uses, so that the editor and the compiler agree. */
function globals() {
  const [, text] = /AMBIENT = `([^`]*)`/.exec(read(join(here, '../agent/src/workbench/ambient.ts'))) ?? [];
  if (!text) throw new Error('apps/agent/src/workbench/ambient.ts has no text AMBIENT');
  return text;
}

/** Members that programs have no use for. A constructor stays: without a declared one, TypeScript would allow `new`. */
const INTERNAL = / *\/\*\* @internal \*\/\n +(?!constructor)[^\n]*;\n/g;

const verbs = join(packageOf('verbs'), 'dist');
const files = {
  ...library(['es2023', 'esnext.disposable']),
  '/globals.d.ts': globals(),
  '/node_modules/@verbslab/protocol/index.d.ts': errorInfoType(),
  ...Object.fromEntries(
    readdirSync(verbs, { recursive: true })
      .filter((name) => name.endsWith('.d.ts'))
      .map((name) => [
        `/node_modules/@verbslab/verbs/${name}`,
        read(join(verbs, name))
          .replace(/^\/\/# sourceMappingURL=.*$/m, '')
          .replace(INTERNAL, ''),
      ]),
  ),
};

const folder = join(here, 'public/generated');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'types.json'), JSON.stringify(files));
