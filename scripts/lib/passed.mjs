// State of the files on which each stage last passed, so that `npm test` can leave out unchanged ones.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './exec.mjs';
import { sources } from './graph.mjs';

const record = join(root, 'artifacts', 'passed.json');

/** The files of the project, also those that are not committed, with a hash of their contents. Some 100 ms. */
export function fingerprint() {
  const hash = (path) =>
    createHash('sha1')
      .update(readFileSync(join(root, path)))
      .digest('base64');
  return Object.fromEntries(sources().map((path) => [path, hash(path)]));
}

/** The paths that are new, gone or different. */
export function differing(before, now) {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((path) => before[path] !== now[path])
    .sort();
}

const read = () => (existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {});

/** The paths that have changed since the stage passed as a whole; null if it never has. */
export function changedSincePassed(stage, now) {
  const before = read()[stage];
  return before ? differing(before, now) : null;
}

/** Records that the stage has passed as a whole on these files. */
export function keepPassed(stage, files) {
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify({ ...read(), [stage]: files }));
}

const tests = join(root, 'artifacts', 'tests.json');

/** Duration of each file of tests in its last run, s, by its path. */
export const secondsOfTests = () => (existsSync(tests) ? JSON.parse(readFileSync(tests, 'utf8')) : {});

/** Keeps the durations from Vitest's JSON report. */
export function keepSeconds({ testResults }) {
  const now = testResults.map(({ name, startTime, endTime }) => [
    relative(root, name),
    Math.round((endTime - startTime) / 10) / 100,
  ]);
  mkdirSync(dirname(tests), { recursive: true });
  writeFileSync(tests, JSON.stringify({ ...secondsOfTests(), ...Object.fromEntries(now) }));
}

/** Workspaces that each workspace with tests of its own imports, as folders. */
export function imports() {
  const folders = sources('packages/*/package.json', 'apps/*/package.json').map(dirname);
  const packages = folders.map((folder) => [
    folder,
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  ]);
  const folderOf = new Map(packages.map(([folder, { name }]) => [name, folder]));
  return Object.fromEntries(
    packages.map(([folder, { dependencies = {}, devDependencies = {} }]) => [
      folder,
      Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => folderOf.get(name) ?? []),
    ]),
  );
}
