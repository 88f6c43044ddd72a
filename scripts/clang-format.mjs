// Formats our C++ (or, with --check, lists files that are not formatted).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exec, has, root } from './lib/exec.mjs';
import { run, Trouble } from './lib/say.mjs';

await run(async () => {
  const program = ['clang-format-19', 'clang-format'].find(has);
  if (!program) throw new Trouble('clang-format 19 is missing: sudo apt-get install -y clang-format-19');
  const listed = spawnSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'native/*.h', 'native/*.cc', 'native/*.c'],
    { cwd: root, encoding: 'utf8' },
  );
  const files = listed.stdout.split('\n').filter((file) => file && existsSync(join(root, file)));
  if (files.length === 0) throw new Trouble('no C++ file found: run this inside the git checkout');
  await exec(program, [...(process.argv.includes('--check') ? ['--dry-run', '--Werror'] : ['-i']), ...files]);
});
