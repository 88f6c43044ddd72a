// Types of everything that the builds leave out: the dashboard, tests, benches, end-to-end tests, the programs of the labs.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exec, root } from './lib/exec.mjs';
import { run } from './lib/say.mjs';

await run(async () => {
  const workspaces = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((name) =>
      ['test', 'code', 'samples'].map((part) => join(group, name, part)),
    ),
  );
  for (const folder of ['apps/web', 'bench', 'e2e', 'scripts/test', ...workspaces]) {
    if (existsSync(join(root, folder, 'tsconfig.json'))) {
      const state = join('artifacts/cache/tsc', `${folder.replaceAll('/', '-')}.tsbuildinfo`);
      const incremental = ['--incremental', '--tsBuildInfoFile', state];
      await exec('node', [
        'scripts/tsc.mjs',
        '--noEmit',
        ...incremental,
        '-p',
        join(folder, 'tsconfig.json'),
      ]);
    }
  }
});
