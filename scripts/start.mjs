// npm start: from a fresh clone to the open dashboard. Arguments go to `verbslab up`.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { childEnv, root } from './lib/exec.mjs';
import { run } from './lib/say.mjs';
import { setup } from './lib/setup.mjs';

await run(async () => {
  await setup();
  // The agent starts in this process: another one would have to start first. Its own processes get the same
  // environment.
  Object.assign(process.env, childEnv());
  const program = join(root, 'apps/agent/bin/verbslab.js');
  process.argv = [process.execPath, program, 'up', ...process.argv.slice(2)];
  await import(pathToFileURL(program).href);
});
