import { Command } from 'commander';
import { findRun } from '../client/find-run.js';
import { orTooOld } from '../client/too-old.js';
import { connected } from './connected.js';
import { print, printJson } from './terminal.js';

export function runsSeparateCommand(): Command {
  return new Command('separate')
    .description('separate a joined run into the runs that it was made of')
    .argument('<run>', 'number or ID of a run of `verbslab runs join`')
    .option('--json', 'print one JSON object: the `runs` that came back')
    .addHelpText(
      'after',
      `
The runs are exactly as they were before they were joined, and the joined run is deleted. Notes and tags that were
written about the joined run go to the earliest of them. Commands that joined with verbslab exec --with were
recorded as one run, so they cannot be separated.

Examples:
  verbslab runs separate 14`,
    )
    .action((name: string, _: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      return connected(async (client) => {
        const { id, number } = await findRun(client, name);
        const { runs } = await orTooOld(client.request('run.separate', { runId: id }));
        if (json) printJson({ runs });
        else
          print(
            [`Run ${number} was separated.`, ...runs.map((run) => `Run ${run.number}: ${run.title}`)].join(
              '\n',
            ),
          );
      });
    });
}
