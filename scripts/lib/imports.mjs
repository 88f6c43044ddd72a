// The imports of TypeScript modules, as their text has them.
import { dirname, join, normalize } from 'node:path';
import { text } from './graph.mjs';

const kImport =
  /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Every import of `file`: what it names, whether it takes types alone, and whether it is made when it is reached. */
export const importsOf = (file) =>
  [...text(file).matchAll(kImport)].map(([, type, path, later]) => ({
    path: path ?? later,
    type: type !== undefined,
    later: later !== undefined,
  }));

/** The path in the checkout that an import of `file` names, with the extension that it has there; undefined for a package. */
export function targetOf(file, path) {
  if (path.startsWith('.')) return normalize(join(dirname(file), path));
  const [, app] = /^(apps\/[^/]+)\//.exec(file) ?? [];
  return app && path.startsWith('@/') ? join(app, 'src', path.slice(2)) : undefined;
}
