// Parts of files that a script writes: it keeps them up to date, or fails where they are stale.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { root } from './exec.mjs';
import { text } from './graph.mjs';
import { Trouble } from './say.mjs';

export const code = (name) => `\`${name}\``;

/** A table of Markdown between its two comments: `<!-- name: … -->` and `<!-- /name -->`. */
export const tableOf = (name, table) => ({
  what: `the table of ${name}`,
  place: new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[\\s\\S]*?(<!-- /${name} -->)`),
  middle: `\n${table}\n\n`,
});

/**
 * Writes parts into a file, formatted; with --check, fails where it differs. Of each part, the first and the last group of
 * `place` stay. `script`: what writes them.
 */
export async function writeParts(path, parts, script) {
  const old = text(path);
  let edited = old;
  for (const { what, place, middle } of parts) {
    if (!place.test(edited)) throw new Trouble(`${path} has no place for ${what}`);
    edited = edited.replace(place, (_, begin, end) => `${begin}${middle}${end}`);
  }
  const { code: fresh } = await format(join(root, path), edited, JSON.parse(text('.oxfmtrc.json')));
  if (fresh === old) return;
  if (process.argv.includes('--check')) throw new Trouble(`${path} is stale: run node ${script}`);
  writeFileSync(join(root, path), fresh);
}
