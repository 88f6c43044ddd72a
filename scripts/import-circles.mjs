// Fails when TypeScript modules import each other in a circle. Imports of types only do not count: they are
// gone when the program runs, and so can neither fail nor depend on the order of loading.
import { dirname, join, normalize } from 'node:path';
import { circles, sources, text } from './lib/graph.mjs';
import { done, run, Trouble } from './lib/say.mjs';

const kImport = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?['"](\.{1,2}\/[^'"]*)['"]/gm;

await run(async () => {
  const files = sources('packages/**/*.ts', 'packages/**/*.tsx', 'apps/**/*.ts', 'apps/**/*.tsx');
  const known = new Set(files);
  const graph = new Map();
  for (const file of files) {
    const imports = [];
    for (const [, path] of text(file).matchAll(kImport)) {
      const base = normalize(join(dirname(file), path)).replace(/\.jsx?$/, '');
      const target = [`${base}.ts`, `${base}.tsx`, base, join(base, 'index.ts')].find((f) => known.has(f));
      if (target) imports.push(target);
    }
    graph.set(file, imports);
  }
  const found = circles(graph);
  if (found.length > 0)
    throw new Trouble(
      `modules import each other:\n${found.map((c) => `  ${c.join('\n    -> ')}`).join('\n')}`,
    );
  done(`no import circle in ${files.length} modules`);
});
