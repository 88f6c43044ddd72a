// Gathers each program of the agent, with all that it imports, in one file, compiled. Node looks for and opens every
// module by itself: 650 of them took the command line 0.35 s, and 15 s in an emulated machine that has them from its
// host.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { compiledPath, script } from './load-bundled.cjs';

/** Folder of the bundled programs, from which the agent runs. */
export const BUNDLE = join(import.meta.dirname, 'dist/bundle');

/**
 * Packages left out of the bundles. The first two load a shared object from their own folder; the compiler is large,
 * and few programs of the agent need it.
 */
export const EXTERNAL = ['@verbslab/native', 'better-sqlite3', 'typescript'];

/**
 * Writes a file unless it has these contents already. A file that differs is replaced as a whole, since a process may
 * read it right now.
 */
function place({ path, contents }, outdir) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const fresh = join(outdir, '..', `${basename(path)}.${process.pid}`);
  writeFileSync(fresh, contents);
  renameSync(fresh, path);
}

/** Compiles a program with V8 and keeps the result in a file. Returns its path. */
function compile(folder, name, outdir) {
  const path = compiledPath(folder, name);
  if (!existsSync(path)) place({ path, contents: script(folder, name).createCachedData() }, outdir);
  return path;
}

/** Bundles the programs from the sources into a folder. The folder's parent needs room for incomplete files. */
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
    // Bundles without comments are half as large to read. An error shows its line, so lines stay short.
    minifyWhitespace: true,
    lineLimit: 120,
    // The alias picks recharts' ES modules: from the form that Node would load, nothing can be left out.
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
    // The script comes first: this file names it.
    const up = '../'.repeat(path.slice(outdir.length).split('/').length - 2);
    keep(path, `module.exports = require('./${up}load.cjs').run(__dirname, '${name}');\n`);
  }
  for (const entry of readdirSync(outdir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !made.has(path)) rmSync(path);
  }
}

/**
 * Bundles the programs; Vitest calls this before the first test. Processes of another stage may run from the bundle
 * meanwhile, so correct files are not touched.
 */
export const setup = () => bundleInto(BUNDLE);

if (process.argv[1] === import.meta.filename) await setup();
