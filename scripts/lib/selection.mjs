// The part of a stage that `npm test` runs after a change, and the text about the rest.

/** Files that decide what a stage finds. Everything below a folder counts. */
const TYPESCRIPT = [
  'packages',
  'apps',
  'native',
  'testdata',
  'bench',
  'e2e',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vitest.config.ts',
];
const NATIVE = ['native', 'testdata', 'scripts/lib/native-stages.mjs'];
const INPUTS = {
  compile: NATIVE,
  // The diagnosis is held against what a native test program sends.
  native: [...NATIVE, 'packages/roce'],
  sanitized: NATIVE,
  fuzz: [...NATIVE, 'scripts/lib/fuzz.mjs'],
  models: TYPESCRIPT,
  typescript: TYPESCRIPT,
  stock: TYPESCRIPT,
  browser: TYPESCRIPT,
};

/**
 * Stages that take minutes. A change of TypeScript alone leaves them out; a change of these files of their own, or of
 * the device's, does not.
 */
const SLOW = { stock: ['native', 'e2e/stock', 'packages/labs/code'], browser: ['native', 'e2e'] };
/** The programs that a lab shows, which `stock` runs. */
const LAB_CODE = /^packages\/labs\/src\/[^/]+\/code\//;

/** The tests of the agent start processes for minutes: the nearest run if the agent itself has changed, not for what it imports. */
const STARTS_PROCESSES = 'apps/agent';

const below = (path, folders) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** `apps/web` of `apps/web/src/…`; null outside of a workspace with tests of its own. */
const workspaceOf = (path) => /^(?:packages|apps)\/[^/]+(?=\/)/.exec(path)?.[0] ?? null;

/**
 * The changed workspaces and all that import them, directly or not. `imports` has, for each workspace, those that it
 * imports.
 */
function withDependents(changed, imports) {
  const all = new Set(changed);
  for (let size = -1; size !== all.size;) {
    size = all.size;
    for (const [name, imported] of Object.entries(imports))
      if (imported.some((one) => all.has(one))) all.add(name);
  }
  return [...all];
}

/** Tests of models and typescript to run: those of the workspaces that changed, and of those that import them. */
function affected(stage, files, imports, nearest) {
  const own = files.map(workspaceOf);
  if (own.includes(null)) return { run: true };
  const all = withDependents(own, imports).sort();
  const whole = all.filter((name) => name !== STARTS_PROCESSES);
  const tests = whole.map((folder) => `those of ${folder}`);
  const filters = whole.map((folder) => `${folder}/test/`);
  let further = '';
  if (stage === 'typescript' && own.includes(STARTS_PROCESSES)) {
    const { near, rest } = nearest(files.filter((path) => workspaceOf(path) === STARTS_PROCESSES));
    filters.push(...near);
    if (near.length > 0) tests.push(`the nearest ${near.length} files of ${STARTS_PROCESSES}`);
    if (rest.length > 0) further = ` (${rest.length} more reach what has changed, and take minutes)`;
  } else if (stage === 'typescript' && all.includes(STARTS_PROCESSES))
    further = `, and so those of ${STARTS_PROCESSES}, which imports what has changed`;
  if (filters.length === 0)
    return { run: false, left: `no test of it belongs to what has changed; npm test -- ${stage}` };
  return {
    run: true,
    filters,
    left: `all tests but ${tests.join(', ')}${further}; npm test -- ${stage}`,
  };
}

/**
 * Selects the part of a stage to run. `changed` has the paths that have changed since it passed as a whole, null if it
 * never has.
 * `nearest` chooses among the tests of the agent (nearest.mjs). `left` says what is left out, and the command that runs it.
 * @returns {{ run: boolean, filters?: string[], left?: string }} `filters`: paths, or how they begin.
 */
export function selection(stage, changed, imports, nearest) {
  if (changed === null) return { run: true };
  const files = INPUTS[stage] ? changed.filter((path) => below(path, INPUTS[stage])) : changed;
  if (files.length === 0)
    return { run: false, left: `nothing has changed since it passed; npm test -- ${stage}` };
  const own = SLOW[stage];
  if (own && !files.some((path) => below(path, own) || (stage === 'stock' && LAB_CODE.test(path))))
    return {
      run: false,
      left: `it takes minutes, and what it uses has changed (${files[0]}${files.length > 1 ? ', …' : ''}); npm test -- ${stage}`,
    };
  return ['models', 'typescript'].includes(stage) ? affected(stage, files, imports, nearest) : { run: true };
}
