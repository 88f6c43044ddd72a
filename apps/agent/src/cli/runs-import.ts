import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { AppError } from '@verbslab/protocol';
import { Command } from 'commander';
import { findOrStart } from './find-or-start.js';
import { uploadBundle } from '../client/upload.js';
import { createLogger } from '../base/log.js';
import { print, printJson } from './terminal.js';

const opened = (file: string): Readable => (file === '-' ? process.stdin : createReadStream(file));

export function runsImportCommand(): Command {
  return new Command('import')
    .description('take a run of another host into the history, from a run bundle (.vlrun)')
    .argument('<file>', 'the bundle; - reads it from stdin')
    .option('--again', 'import a run that is already here as a second copy')
    .option('--json', 'print one JSON object: the record of the imported run')
    .addHelpText(
      'after',
      `
\`verbslab runs export RUN --format bundle\` writes the file on the other host, and so does the Export menu
on the page of the run. The run gets a new number here, and shows the same figures as there. A file that is
damaged, changed or incomplete is refused, and nothing of it stays.

Examples:
  verbslab runs import run12.vlrun
  ssh other verbslab runs export 12 --format bundle | verbslab runs import -
  verbslab runs import run12.vlrun --json | jq .number`,
    )
    .action(async (file: string, { again = false }: { again?: boolean }, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      const found = await findOrStart(createLogger('warn'));
      try {
        const run = await uploadBundle(found.address, opened(file), again);
        if (json) printJson(run);
        else print(`Imported run ${run.imported!.number} of ${run.imported!.host} as run ${run.number}.`);
      } catch (error) {
        const { path, message: detail } = error as NodeJS.ErrnoException;
        if (error instanceof AppError || path === undefined) throw error;
        throw new AppError(
          'USAGE',
          { detail: `“${file}” cannot be read: ${detail}`, hint: 'Give the name of a .vlrun file.' },
          { cause: error },
        );
      } finally {
        await found.release();
      }
    });
}
