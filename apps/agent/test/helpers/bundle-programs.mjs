// Gathers each program that the tests start in one file, as Vitest's first step: through tsx an agent takes over a second of
// a core to start, and there are fifty.
import { join } from 'node:path';
import { build } from 'esbuild';

export async function setup() {
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ['bad-child', 'crash-agent', 'full-disk', 'peer-agent'].map((name) => `${name}.ts`),
    outdir: join(import.meta.dirname, '../../dist/test-programs'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    // As in apps/agent/bundle.mjs.
    external: ['@verbslab/native', 'better-sqlite3', 'typescript'],
    logLevel: 'warning',
  });
}
