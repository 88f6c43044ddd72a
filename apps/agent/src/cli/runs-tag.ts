import { AppError } from '@verbslab/protocol';
import { Command } from 'commander';
import { connected } from './connected.js';
import { findRun } from '../client/find-run.js';
import { print, printJson } from './terminal.js';

/** `+rnr -todo` as what to add and what to take off. */
function readChanges(changes: readonly string[]): { add: string[]; remove: string[] } {
  const of = (sign: string): string[] =>
    changes.filter((one) => one.startsWith(sign)).map((one) => one.slice(1));
  const other = changes.find((one) => !/^[+-]/.test(one));
  if (other !== undefined)
    throw new AppError('USAGE', {
      detail: `“${other}” does not say whether to add or remove the tag`,
      hint: `Write +${other} or -${other}.`,
    });
  return { add: of('+'), remove: of('-') };
}

export function runsTagCommand(): Command {
  return (
    new Command('tag')
      .description('add tags to a run and remove others; without any, list its tags')
      .argument('<run>', 'number or ID of the run')
      .argument('[changes...]', '`+tag` to add one, `-tag` to remove one')
      // `-h` would take every tag that begins with an h.
      .helpOption('--help', 'print this help')
      .allowUnknownOption()
      .option('--json', 'print one JSON object: `run` (its number) and `tags`')
      .addHelpText(
        'after',
        `
A tag is one word in lower case; spaces become dashes. A run has at most 20.

Examples:
  verbslab runs tag 12 +rnr +to-show
  verbslab runs tag 12 -todo
  verbslab runs tag 12`,
      )
      .action((name: string, changes: string[], { json }: { json?: boolean }) =>
        connected(async (client) => {
          const wanted = readChanges(changes);
          const { id } = await findRun(client, name);
          const { run } =
            changes.length === 0
              ? await client.request('run.get', { runId: id })
              : await client.request('run.tag', { runId: id, ...wanted });
          const { number, tags = [] } = run;
          if (json) printJson({ run: number, tags });
          else print(tags.length === 0 ? `Run ${number} has no tags.` : `Run ${number}: ${tags.join(' ')}`);
        }),
      )
  );
}
