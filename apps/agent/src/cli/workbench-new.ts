import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError, callFailed, WORKBENCH_LANGUAGES, type WorkbenchLanguage } from '@verbslab/protocol';
import { Command, Option } from 'commander';
import { templateOf } from '../workbench/template.js';
import { print } from './terminal.js';
import { taskOf } from './workbench-task.js';

/** Writes the files; none that is there is overwritten. */
function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, text, { flag: 'wx' });
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw callFailed('SYSTEM', `write of ${path}`, code);
      throw new AppError('USAGE', {
        detail: `${path} exists already`,
        hint: 'Name another folder, or move the file away.',
      });
    }
  }
}

export function workbenchNewCommand(): Command {
  return new Command('new')
    .description('make a folder to write the program of a task in, with your own editor')
    .argument('<task>', 'its name, as verbslab workbench lists it')
    .argument('<folder>', 'where to put the files')
    .addOption(
      new Option('--language <language>', 'of the program').choices(WORKBENCH_LANGUAGES).default('c'),
    )
    .addHelpText(
      'after',
      `
For C: main.c, a Makefile and a README. \`make\` compiles, \`make run\` runs the program on the embedded device, and
\`make check\` has it checked.
For TypeScript: main.ts, a tsconfig.json for your editor, and a README.

Files that exist are never overwritten.

Examples:
  verbslab workbench new send ~/send
  verbslab workbench new atomics --language typescript ~/atomics`,
    )
    .action((id: string, folder: string, { language }: { language: WorkbenchLanguage }) => {
      const path = resolve(folder);
      const files = templateOf(taskOf(id), language);
      write(path, files);
      print(`Wrote ${Object.keys(files).join(', ')} to ${path}. README.md says how to go on.`);
    });
}
