// The size of files: one that is longer does more than its name tells.
import { sources, text } from '../lib/graph.mjs';

const MOST_LINES = 400;
const SOURCES = ['ts', 'tsx', 'mjs', 'cjs', 'cc', 'h', 'c', 'css'].map((ending) => `*.${ending}`);

/** Returns a sentence for each hand-written source file that is too long. */
export function sizes() {
  const files = sources(...SOURCES, ':!**/generated/**');
  const long = files.flatMap((file) => {
    const lines = text(file).split('\n').length - 1;
    return lines > MOST_LINES ? [`${file} has ${lines} lines (limit ${MOST_LINES}): divide it`] : [];
  });
  return { trouble: long, tables: {}, summary: `${files.length} files of at most ${MOST_LINES} lines` };
}
