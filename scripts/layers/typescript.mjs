// The layers of the TypeScript part: imports go only where the plan allows, imports of types included.
import { code } from '../lib/generated.mjs';
import { circles, sources } from '../lib/graph.mjs';
import { importsOf, targetOf } from '../lib/imports.mjs';
import { packages, typesOnly } from './plan.mjs';

const packageOf = (path) => packages.find(({ name }) => path.startsWith(`${name}/`))?.name;

/** The package that a bare import names; undefined for one of the registry. */
const workspaceOf = (path) => {
  const [, name] = /^@verbslab\/([^/]+)/.exec(path) ?? [];
  return name && packages.find((each) => each.name.endsWith(`/${name}`))?.name;
};

/** The folder right in src that a file is in: `.` for the files beside it, `index` for the door. */
function folderOf(path, { name }) {
  const [first, ...rest] = path.slice(`${name}/src/`.length).split('/');
  if (rest.length > 0) return first;
  return /^index(\.[jt]sx?)?$/.test(first) ? 'index' : '.';
}

/** The index of the layer that a folder is in; -1 for a folder in none. */
function rankOf(folder, { layers }) {
  if (folder === 'index') return layers.length;
  const named = (name) => layers.findIndex(({ folders }) => folders.includes(name));
  return named(folder) < 0 && folder !== '.' ? named('*') : named(folder);
}

function checkArrow(file, target, entry, trouble) {
  if (!target.startsWith(`${entry.name}/src/`)) {
    const other = packageOf(target);
    if (other && other !== entry.name)
      trouble.push(`${file} imports ${target}: name ${other} as a package, not by its files`);
    return;
  }
  const [from, to] = [folderOf(file, entry), folderOf(target, entry)];
  if (to === 'generated') return;
  const rank = (folder) => rankOf(folder, entry);
  if (rank(from) < 0)
    trouble.push(`${file} is in no layer: add ${from} to ${entry.name} in scripts/layers/plan.mjs`);
  else if (from !== to && rank(to) >= rank(from))
    trouble.push(
      `${file} imports ${target}: in ${entry.name}, ${from} may not know ${to} (scripts/layers/plan.mjs)`,
    );
}

/** Returns the faults of the imports of one package; adds to `used` the packages that it imports. */
function checkPackage(entry, files, used) {
  const trouble = [];
  for (const file of files) {
    for (const { path } of importsOf(file)) {
      const target = targetOf(file, path);
      if (target) checkArrow(file, target, entry, trouble);
      const other = workspaceOf(path);
      if (!other) continue;
      used.add(other);
      if (!entry.may.includes(other)) trouble.push(`${file} imports ${path}: ${entry.name} may not know it`);
    }
  }
  const folders = new Set(files.map((file) => folderOf(file, entry)));
  for (const folder of entry.layers.flatMap((layer) => layer.folders))
    if (folder !== '*' && !folders.has(folder))
      trouble.push(`${entry.name} has no ${folder}: take it from the plan`);
  return trouble;
}

/**
 * Folders beside each other that know each other in a circle, at any depth. Files right in the folder around them are its door
 * and its common ground: they may import folders in it, and these them.
 */
function checkKnots(files) {
  const graphs = new Map();
  for (const file of files)
    for (const { path } of importsOf(file)) {
      const [from, to] = [file, targetOf(file, path) ?? ''].map((each) => each.split('/'));
      const shared = from.findIndex((part, i) => part !== to[i]);
      if (shared < 0 || shared >= from.length - 1 || shared >= to.length - 1) continue;
      const graph = graphs.get(from.slice(0, shared).join('/')) ?? new Map();
      graphs.set(from.slice(0, shared).join('/'), graph);
      graph.set(from[shared], (graph.get(from[shared]) ?? new Set()).add(to[shared]));
    }
  return [...graphs].flatMap(([folder, graph]) =>
    circles(graph).map((knot) => `${folder}: its folders know each other in a circle: ${knot.join(' > ')}`),
  );
}

function checkTypesOnly() {
  return sources(`${typesOnly}/*.ts`).flatMap((file) =>
    importsOf(file)
      .filter(({ path, type }) => !type && /^@verbslab\/|^(\.\.\/)+(apps|packages)\//.test(path))
      .map(({ path }) => `${file} imports code of ${path}: a road may import types alone`),
  );
}

const list = (names) => names.map(code).join(', ');

const packageTable = () => [
  '| folder | what it is | may import |',
  '| --- | --- | --- |',
  ...packages.map(({ name, what, may }) => `| ${code(name)} | ${what} | ${list(may) || 'nothing'} |`),
];

const roomOf = (folder) => ({ '.': 'files right in src', '*': 'all others' })[folder] ?? code(folder);
const layerTables = () =>
  packages
    .flatMap(({ name, layers }) => [
      `**${code(name)}**, from the top to the bottom:`,
      '',
      '| layer | what it is |',
      '| --- | --- |',
      ...[...layers].reverse().map(({ folders, what }) => `| ${folders.map(roomOf).join(', ')} | ${what} |`),
      '',
    ])
    .slice(0, -1);

/** Faults, the tables for the docs, and a summary. */
export function typescriptLayers() {
  const trouble = checkTypesOnly();
  let count = 0;
  for (const [index, entry] of packages.entries()) {
    const below = packages.slice(0, index).map(({ name }) => name);
    for (const other of entry.may)
      if (!below.includes(other)) trouble.push(`${entry.name} names ${other}, which is no package below it`);
    // Programs that labs show are data to the package.
    const files = sources(`${entry.name}/src/*.ts`, `${entry.name}/src/*.tsx`).filter(
      (file) => !file.includes('/code/'),
    );
    const used = new Set();
    trouble.push(...checkPackage(entry, files, used), ...checkKnots(files));
    for (const other of entry.may)
      if (!used.has(other)) trouble.push(`${entry.name} no longer imports ${other}: take the arrow away`);
    count += files.length;
  }
  const layers = packages.reduce((sum, entry) => sum + entry.layers.length, 0);
  return {
    trouble,
    tables: { packages: packageTable().join('\n'), 'typescript layers': layerTables().join('\n') },
    summary: `${packages.length} packages, ${layers} layers of ${count} modules`,
  };
}
