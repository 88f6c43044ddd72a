// npm run bench -- NAME [options]: runs one bench of bench/, building what is stale first.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnv, root } from './lib/exec.mjs';
import { run, Trouble } from './lib/say.mjs';
import { setup } from './lib/setup.mjs';

const folder = join(root, 'bench');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3));

/** The first comment line of a bench says what it measures. */
const purpose = (name) =>
  readFileSync(join(folder, `${name}.ts`), 'utf8')
    .split('\n', 1)[0]
    .replace(/^\/\/ ?/, '');

const usage = () =>
  `npm run bench -- NAME [--pairs N] [--only ROW] [--json]\n\n${names.map((name) => `  ${name.padEnd(20)}${purpose(name)}`).join('\n')}\n`;

await run(async () => {
  const [name, ...rest] = process.argv.slice(2);
  if (!name || name === '--help') return void process.stdout.write(usage());
  if (!existsSync(join(folder, `${name}.ts`)))
    throw new Trouble(`there is no bench called ${name}\n\n${usage()}`);
  if (rest.includes('--help'))
    return void process.stdout.write(
      `npm run bench -- ${name} [options]\n\n${purpose(name)}\n\nIts options stand at parseArgs in bench/${name}.ts, or in bench/lib/paired.ts if it has none of its own.\n`,
    );
  await setup({ test: true });
  const child = spawn(process.execPath, ['--import', 'tsx', join(folder, `${name}.ts`), ...rest], {
    cwd: root,
    env: childEnv(),
    stdio: 'inherit',
  });
  process.exitCode = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
});
