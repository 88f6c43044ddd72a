// Tests of the agent that are nearest to a change: by their imports and by the programs that they start.
import { dirname, join, normalize } from 'node:path';
import { sources, text } from './graph.mjs';

const AGENT = 'apps/agent';
const TEST = /^apps\/agent\/test\/[^/]+\.test\.ts$/;
/** Takes minutes, and is a test of `npm run nightly` (vitest.config.ts). */
const NIGHTLY = 'apps/agent/test/variations.test.ts';
const COMMAND = 'bin/verbslab.js';
/** Seconds of a test that has not run here. */
const UNKNOWN_S = 5;

/** Text in quotes that may be the path of a module: of an import, or of a program in the sources or beside the tests. */
const QUOTED = /['"`]([\w./-]+)['"`]/g;

/** Modules that each module of the agent and its tests names. */
export function agentModules() {
  const files = sources(`${AGENT}/src/*.ts`, `${AGENT}/test/*.ts`);
  const known = new Set(files);
  const found = (base) => [base, `${base}.ts`].find((path) => known.has(path));
  return new Map(
    files.map((file) => {
      const named = new Set();
      for (const [, quoted] of text(file).matchAll(QUOTED)) {
        if (quoted.endsWith(COMMAND)) named.add(`${AGENT}/src/cli/main.ts`);
        const path = quoted.replace(/\.js$/, '.ts');
        const folders = quoted.includes('/')
          ? [dirname(file), `${AGENT}/src`, `${AGENT}/test`]
          : [`${AGENT}/test/helpers`];
        const target = folders.map((folder) => found(normalize(join(folder, path)))).find(Boolean);
        if (target) named.add(target);
      }
      return [file, [...named]];
    }),
  );
}

/** Distances in imports between each module that reaches one of `changed` and that one. */
function distances(modules, changed) {
  const users = new Map();
  for (const [file, named] of modules)
    for (const one of named) users.set(one, [...(users.get(one) ?? []), file]);
  const far = new Map(changed.map((file) => [file, 0]));
  for (const [file, distance] of far)
    for (const user of users.get(file) ?? []) if (!far.has(user)) far.set(user, distance + 1);
  return far;
}

const words = (path) =>
  new Set(
    path
      .replace(/\.(test\.)?ts$/, '')
      .split(/[/-]/)
      .slice(3),
  );

/** The number of words that the name of a test shares with the folders and names of the changed files. */
function kinship(test, changed) {
  const of = words(test);
  return Math.max(...changed.map((file) => [...words(file)].filter((word) => of.has(word)).length));
}

/**
 * The tests to run after a change of these files of the agent: those that changed, and of the others that reach the change
 * those of the same name first, then the nearest, as long as they take `budget` s together. `seconds` says how long each
 * took last.
 * @returns {{ near: string[], rest: string[] }} `rest` reach it too.
 */
export function nearestTests(changed, seconds, budget, modules = agentModules()) {
  const far = distances(modules, changed);
  const tests = [...far].flatMap(([file, distance]) =>
    TEST.test(file) && file !== NIGHTLY
      ? [{ file, distance, kin: kinship(file, changed), took: seconds[file] ?? UNKNOWN_S }]
      : [],
  );
  const own = ({ distance }) => Number(distance === 0);
  tests.sort((a, b) => own(b) - own(a) || b.kin - a.kin || a.distance - b.distance || a.took - b.took);
  const near = [];
  const rest = [];
  let left = budget;
  for (const test of tests) {
    const fits = own(test) || test.took <= left;
    if (fits) left -= test.took;
    (fits ? near : rest).push(test.file);
  }
  return { near, rest };
}
