// Bundles the programs that the tests start, before the first test. Through tsx an agent needs more than a second of
// CPU time to start, and the tests start dozens.
import { join } from 'node:path';
import { build } from 'esbuild';
import { EXTERNAL } from '../../bundle.mjs';

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
    external: EXTERNAL,
    logLevel: 'warning',
  });
}
