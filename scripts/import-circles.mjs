// Fails when TypeScript modules import each other in a circle. Imports of types only do not count: they are
// gone when the program runs, and so can neither fail nor depend on the order of loading.
import { join } from 'node:path';
import { circles, sources } from './lib/graph.mjs';
import { importsOf, targetOf } from './lib/imports.mjs';
import { done, run, Trouble } from './lib/say.mjs';

await run(async () => {
  const files = sources('packages/**/*.ts', 'packages/**/*.tsx', 'apps/**/*.ts', 'apps/**/*.tsx');
  const known = new Set(files);
  const graph = new Map();
  for (const file of files) {
    const imports = importsOf(file)
      .filter(({ type, later }) => !type && !later)
      .flatMap(({ path }) => {
        const base = targetOf(file, path)?.replace(/\.jsx?$/, '');
        if (base === undefined) return [];
        return [`${base}.ts`, `${base}.tsx`, base, join(base, 'index.ts')].find((f) => known.has(f)) ?? [];
      });
    graph.set(file, imports);
  }
  const found = circles(graph);
  if (found.length > 0)
    throw new Trouble(
      `modules import each other:\n${found.map((c) => `  ${c.join('\n    -> ')}`).join('\n')}`,
    );
  done(`no import circle in ${files.length} modules`);
});
