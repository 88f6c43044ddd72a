// Gathers each program of the agent, with all that it imports, in one file, compiled. Node looks for and opens every module
// by itself: 650 of them took the command line 0.35 s, and 15 s in an emulated machine that has them from its host.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { compiledPath, script } from './load-bundled.cjs';

/** Where the agent runs from. */
export const BUNDLE = join(import.meta.dirname, 'dist/bundle');

/** Each loads a shared object from beside itself, but for the compiler: it is large, and few programs of the agent need it. */
export const EXTERNAL = ['@verbslab/native', 'better-sqlite3', 'typescript'];

/** Leaves a file that is right alone; any other is replaced as a whole, since a process may read it right now. */
function place({ path, contents }, outdir) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const fresh = join(outdir, '..', `${basename(path)}.${process.pid}`);
  writeFileSync(fresh, contents);
  renameSync(fresh, path);
}

/** What V8 makes of a program, unless it is there. */
function compile(folder, name, outdir) {
  const path = compiledPath(folder, name);
  if (!existsSync(path)) place({ path, contents: script(folder, name).createCachedData() }, outdir);
  return path;
}

/** From the sources into a folder, whose parent has room for files that are not complete yet. */
export async function bundleInto(outdir) {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    write: false,
    entryPoints: [
      'cli/main',
      'cli/open-files',
      'endpoint/child',
      'endpoint/lambda/worker',
      'devices/child',
      'vms/child',
      'vms/guest/exec-server',
      'workbench/typescript-child',
    ].map((name) => `src/${name}.ts`),
    outbase: 'src',
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    // A script's compiled form can be kept; that of a module cannot, before Node 22.
    format: 'cjs',
    target: 'node20',
    // React has two forms: the one for development is large and slow.
    define: { 'import.meta.url': 'bundledUrl', 'process.env.NODE_ENV': '"production"' },
    banner: { js: "const bundledUrl = require('node:url').pathToFileURL(__filename).href;" },
    // Without comments half as much is read. An error shows its line, so lines stay short.
    minifyWhitespace: true,
    lineLimit: 120,
    // Its modules: of the form that Node would take, nothing can be left out.
    alias: { recharts: 'recharts/es6/index.js' },
    external: EXTERNAL,
    logLevel: 'warning',
    logOverride: { 'empty-import-meta': 'error' },
  });
  const made = new Set();
  const keep = (path, contents) => {
    place({ path, contents: Buffer.from(contents) }, outdir);
    made.add(path);
  };
  keep(join(outdir, 'load.cjs'), readFileSync(join(import.meta.dirname, 'load-bundled.cjs')));
  for (const { path, contents } of outputFiles) {
    const folder = dirname(path);
    // V8 takes compiled code for any source of the same length, so the name says which source it is.
    const name = `${basename(path, '.cjs')}-${createHash('sha256').update(contents).digest('hex').slice(0, 12)}`;
    keep(join(folder, `${name}.cjs`), contents);
    made.add(compile(folder, name, outdir));
    // What is named in another file comes first.
    const up = '../'.repeat(path.slice(outdir.length).split('/').length - 2);
    keep(path, `module.exports = require('./${up}load.cjs').run(__dirname, '${name}');\n`);
  }
  for (const entry of readdirSync(outdir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !made.has(path)) rmSync(path);
  }
}

/**
 * Vitest calls it before the first test, perhaps while another stage's processes run from the bundle: nothing that is right
 * is touched.
 */
export const setup = () => bundleInto(BUNDLE);

if (process.argv[1] === import.meta.filename) await setup();
