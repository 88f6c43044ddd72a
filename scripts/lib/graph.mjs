// The graph of includes or imports, and its circles.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './exec.mjs';
import { Trouble } from './say.mjs';

/** Paths in the checkout that match `patterns` of git, new files included. */
export function sources(...patterns) {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  const files = listed.stdout.split('\n').filter((file) => file && existsSync(join(root, file)));
  if (files.length === 0)
    throw new Trouble(`no file matches ${patterns.join(', ')}: run this inside the git checkout`);
  return files;
}

export const text = (file) => readFileSync(join(root, file), 'utf8');

/**
 * Circles in `graph` (a Map from a node to the nodes that it names), one for each knot, as the list of its nodes in
 * order. A depth-first search: an edge to a node that is still open closes a circle.
 */
export function circles(graph) {
  const found = [];
  const done = new Set();
  const path = [];
  const open = new Map();
  const visit = (node) => {
    open.set(node, path.length);
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      if (open.has(next)) found.push([...path.slice(open.get(next)), next]);
      else if (!done.has(next)) visit(next);
    }
    path.pop();
    open.delete(node);
    done.add(node);
  };
  for (const node of graph.keys()) if (!done.has(node)) visit(node);
  return found;
}
