// Every sentence in labs, explanations, errors, counters and docs.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { markdownSentences } from './markdown-sentences.js';
import { cSentences, typescriptSentences } from './source-sentences.js';
import type { Sayer, Statement } from './statement.js';

export const ROOT = join(import.meta.dirname, '../../..');

/** Kind of text by file. The first match counts. */
const WHO_SPEAKS: readonly (readonly [Sayer, RegExp])[] = [
  ['lab text', /^packages\/labs\/src\/[^/]+\/text\.md$/],
  ['counter', /^(?:apps\/web\/src\/model\/counter-meanings|packages\/labs\/src\/hw-counters\/meanings)\.ts$/],
  ['failure', /^packages\/labs\/src\/failures\/.*\.ts$/],
  ['lab', /^packages\/labs\/src\/(?!generated\/).*\.ts$/],
  ['explanation', /^apps\/web\/src\/explanations\/.*\.tsx?$/],
  [
    'error',
    /^packages\/protocol\/src\/(?:error-codes\/.*|errno|error-counters|problems.*|findings|faults-text)\.ts$/,
  ],
  ['error', /^native\/uroce\/(?:report|verbs\/(?:watch|device))\/.*\.cc$/],
  ['term', /^(?:apps\/web\/src\/ui\/terms|packages\/roce\/src\/packet\/glossary)\.ts$/],
  ['term', /^packages\/roce\/src\/headers\/.*\.ts$/],
  ['diagnosis', /^packages\/roce\/src\/diagnosis\/.*\.ts$/],
  ['doc', /^(?:docs\/[^/]+|README)\.md$/],
];

const FOLDERS = [
  'packages/labs/src',
  'packages/protocol/src',
  'packages/roce/src',
  'apps/web/src',
  'native/uroce',
  'docs',
];

/** Folders and files with code, besides FOLDERS. */
const CODE = [
  'native/uroce',
  'native/addon',
  'native/confine',
  'native/capture',
  ...[
    'packages/labs/src',
    'packages/protocol/src',
    'packages/charts/src',
    'packages/report/src',
    'packages/roce/src',
    'packages/verbs/src',
  ],
  ...['apps/agent/src', 'apps/web/src', 'scripts', 'deploy', 'bench'],
];

function* filesOf(folder: string): Generator<string> {
  for (const one of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    // A route of the dashboard may be a folder with the name of a file.
    if (one.isFile()) yield relative(ROOT, join(one.parentPath, one.name));
}

function sentencesIn(by: Sayer, file: string): Statement[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  if (file.endsWith('.md')) return markdownSentences(by, file, source);
  return file.endsWith('.cc') ? cSentences(by, file, source) : typescriptSentences(by, file, source);
}

/** All statements in the order of files and lines. */
export function allStatements(): Statement[] {
  const files = ['README.md', ...FOLDERS.flatMap((folder) => [...filesOf(folder)])].sort();
  return files.flatMap((file) => {
    const by = WHO_SPEAKS.find(([, pattern]) => pattern.test(file))?.[0];
    return by ? sentencesIn(by, file) : [];
  });
}

const IS_CODE = /^(?!.*\/(?:generated|dist|test|tests)\/).*\.(?:ts|tsx|cc|h|mjs|map|json|sh)$/;

/** The code in which names are looked up, without tests. */
export function* codeOf(): Generator<readonly [file: string, text: string]> {
  yield ['package.json', readFileSync(join(ROOT, 'package.json'), 'utf8')];
  for (const folder of CODE)
    for (const file of filesOf(folder))
      if (IS_CODE.test(file)) yield [file, readFileSync(join(ROOT, file), 'utf8')];
}
