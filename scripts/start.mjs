// npm start: from a fresh clone to the open dashboard. Arguments go to `verbslab up`.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnv, root } from './lib/exec.mjs';
import { run } from './lib/say.mjs';
import { setup } from './lib/setup.mjs';

await run(async () => {
  await setup();
  const agent = spawn(
    process.execPath,
    [join(root, 'apps/agent/bin/verbslab.js'), 'up', ...process.argv.slice(2)],
    {
      env: childEnv(),
      stdio: 'inherit',
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => agent.kill(signal));
  process.exitCode = await new Promise((resolve) => agent.on('close', (code) => resolve(code ?? 1)));
});
