// The layers of the project: checks that imports and includes go only downwards and that no file is too long, and writes the tables of layers into
// docs/architecture.md (or, with --check, fails where they are stale).
import { nativeLayers } from './layers/native.mjs';
import { sizes } from './layers/sizes.mjs';
import { typescriptLayers } from './layers/typescript.mjs';
import { tableOf, writeParts } from './lib/generated.mjs';
import { done, run, Trouble } from './lib/say.mjs';

await run(async () => {
  const checked = [typescriptLayers(), nativeLayers(), sizes()];
  const trouble = checked.flatMap((each) => each.trouble);
  if (trouble.length > 0) throw new Trouble(trouble.join('\n'));
  const tables = checked.flatMap((each) => Object.entries(each.tables));
  const parts = tables.map(([name, table]) => tableOf(name, table));
  await writeParts('docs/architecture.md', parts, 'scripts/layers.mjs');
  done(`${checked.map(({ summary }) => summary).join(', ')}: imports go only down`);
});
