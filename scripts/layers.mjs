// The layers of the project: checks that imports and includes go only downwards, and writes the tables of layers into
// docs/architecture.md (or, with --check, fails where they are stale).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { nativeLayers } from './layers/native.mjs';
import { typescriptLayers } from './layers/typescript.mjs';
import { root } from './lib/exec.mjs';
import { text } from './lib/graph.mjs';
import { done, run, Trouble } from './lib/say.mjs';

const kDocument = 'docs/architecture.md';

function replaceTable(document, name, table) {
  const place = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!place.test(document)) throw new Trouble(`${kDocument} has no place for the table of ${name}`);
  return document.replace(place, (_, begin, end) => `${begin}\n${table}\n\n${end}`);
}

await run(async () => {
  const tables = { 'native layers': nativeLayers(), ...typescriptLayers() };
  const trouble = Object.values(tables).flatMap((each) => each.trouble);
  if (trouble.length > 0) throw new Trouble(trouble.join('\n'));

  const old = text(kDocument);
  let edited = old;
  for (const [name, { table }] of Object.entries(tables)) edited = replaceTable(edited, name, table);
  const path = join(root, kDocument);
  const { code: fresh } = await format(path, edited, JSON.parse(text('.oxfmtrc.json')));
  if (fresh !== old && process.argv.includes('--check'))
    throw new Trouble(`the tables of layers in ${kDocument} are stale: run node scripts/layers.mjs`);
  if (fresh !== old) writeFileSync(path, fresh);
  done(
    `${Object.values(tables)
      .map(({ summary }) => summary)
      .join(', ')}: imports go only down`,
  );
});
