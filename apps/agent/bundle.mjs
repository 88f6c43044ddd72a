// Gathers each program of the agent, with all that it imports, in a few files. Node looks for and opens every module by
// itself: 650 of them took the command line 0.35 s, and 15 s in an emulated machine that has them from its host.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';

const outdir = join(import.meta.dirname, 'dist/bundle');

/** Leaves a file that is right alone; any other is replaced as a whole, since a process may read it right now. */
function place({ path, contents }) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const fresh = join(outdir, '..', `${basename(path)}.${process.pid}`);
  writeFileSync(fresh, contents);
  renameSync(fresh, path);
}

/**
 * Into dist/bundle, from the sources. Vitest calls it before the first test, perhaps while another stage's processes run
 * from the bundle: nothing that is right is touched.
 */
export async function setup() {
  const { outputFiles } = await build({
    absWorkingDir: import.meta.dirname,
    write: false,
    entryPoints: [
      'cli/main',
      'cli/open-files',
      'endpoint/child',
      'endpoint/lambda/worker',
      'devices/child',
      'vms/guest/exec-server',
      'workbench/typescript-child',
    ].map((name) => `src/${name}.ts`),
    outbase: 'src',
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    // Each loads a shared object from beside itself.
    // The compiler is large, and few programs of the agent need it.
    external: ['@verbslab/native', 'better-sqlite3', 'typescript'],
    // For packages in CommonJS, which require what is built into Node.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
  // What is named in another file comes first.
  for (const file of outputFiles.toSorted((a, b) => rank(a) - rank(b))) place(file);
  const made = new Set(outputFiles.map(({ path }) => path));
  for (const entry of readdirSync(outdir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !made.has(path)) rmSync(path);
  }
}

const rank = ({ path }) => (path.includes('/chunks/') ? 0 : 1);

if (process.argv[1] === import.meta.filename) await setup();
