// Finds the labs: each folder of src with an index.ts. Writes src/generated/labs.ts, which imports them,
// src/generated/texts.ts, which holds their text.md, and src/generated/programs.ts, which holds the files of their
// code folders, so that every bundler takes all along. Writes src/generated/workbench.ts, which holds the tasks of the
// workbench: each folder of src/workbench with a task.md.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const src = join(import.meta.dirname, 'src');
const head = '// Written by generate.mjs. Do not edit.\n';

/** Leaves a file that is right alone: compilers look at times. */
function place(name, text) {
  const path = join(src, 'generated', name);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  mkdirSync(join(src, 'generated'), { recursive: true });
  writeFileSync(path, text);
}

/** Vitest calls it before the first test, and the build before the compiler. */
export function setup() {
  const labs = readdirSync(src, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(src, entry.name, 'index.ts')))
    .map(({ name }) => name)
    .sort();
  place(
    'labs.ts',
    [
      head + "import type { Lab } from '../form/define.js';",
      ...labs.map((name, i) => `import lab${i} from '../${name}/index.js';`),
      `\nexport const FOUND: readonly Lab[] = [${labs.map((_, i) => `lab${i}`).join(', ')}];\n`,
    ].join('\n'),
  );
  const texts = labs.flatMap((name) => {
    const path = join(src, name, 'text.md');
    return existsSync(path) ? [[name, readFileSync(path, 'utf8')]] : [];
  });
  place(
    'texts.ts',
    `${head}export const TEXTS: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(texts), null, 2)};\n`,
  );
  const programs = labs.flatMap((name) => {
    const files = filesOf(join(src, name, 'code'));
    return Object.keys(files).length > 0 ? [[name, files]] : [];
  });
  const json = (value) => JSON.stringify(value, null, 2);
  place(
    'programs.ts',
    `${head}/** Files by name. */\nexport type Files = Readonly<Record<string, string>>;\n` +
      `export const COMMON: Files = ${json(filesOf(join(import.meta.dirname, 'code')))};\n` +
      `export const PROGRAMS: Readonly<Record<string, Files>> = ${json(Object.fromEntries(programs))};\n`,
  );
  place('workbench.ts', head + `export const TASK_FILES = ${json(tasks())};\n`);
}

const workbench = join(src, 'workbench');

/** The files of all tasks. */
function tasks() {
  const ids = readdirSync(workbench)
    .filter((name) => existsSync(join(workbench, name, 'task.md')))
    .sort();
  return Object.fromEntries(ids.map((id) => [id, task(join(workbench, id))]));
}

function task(folder) {
  const [, title, text, hints] =
    /^# (.+)\n\n([^]+)\n## Hints\n\n([^]+)$/.exec(readFileSync(join(folder, 'task.md'), 'utf8')) ?? [];
  if (!title) throw new Error(`${folder}/task.md needs a title, a text and “## Hints” as its last section`);
  const files = filesOf(join(folder, 'code'));
  const { 'link.h': link } = filesOf(join(workbench, 'code'));
  // A program is one file.
  const c = (name) => files[name].replace('#include "link.h"\n', () => link);
  return {
    title,
    text: text.trim(),
    hints: hints
      .trim()
      .split(/^- /m)
      .map((hint) => hint.trim())
      .filter(Boolean),
    starter: { typescript: files['starter.ts'], c: c('starter.c') },
    solution: { typescript: files['solution.ts'], c: c('solution.c') },
  };
}

/** The sources in a folder, by name; none where there is no folder. */
function filesOf(folder) {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder).filter((name) => /\.(c|h|py|ts)$/.test(name));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

if (process.argv[1] === import.meta.filename) setup();
