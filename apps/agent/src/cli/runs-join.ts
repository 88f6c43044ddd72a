import type { RunRecord } from '@verbslab/protocol';
import { Command } from 'commander';
import type { AgentClient } from '../client/client.js';
import { findRun } from '../client/find-run.js';
import { orTooOld } from '../client/too-old.js';
import { connected } from './connected.js';
import { print, printJson } from './terminal.js';

async function join(client: AgentClient, names: readonly string[]): Promise<RunRecord> {
  const runIds: string[] = [];
  for (const name of names) runIds.push((await findRun(client, name)).id);
  return (await orTooOld(client.request('run.join', { runIds }))).run;
}

export function runsJoinCommand(): Command {
  return new Command('join')
    .description('make one run of the server and the client of a program, on one time axis')
    .argument('<run>', 'number or ID of a run of `verbslab exec` that has ended')
    .argument('<others...>', 'runs that were in progress at the same time')
    .option('--json', 'print one JSON object: the joined `run`')
    .addHelpText(
      'after',
      `
The joined run is on the clock of the earliest one, and has the processes, packets, output and exit codes of all.
What one of them sent to another counts once. It stands for them in the lists. They are kept as they are, and
verbslab runs separate brings them back. If the joined run is deleted, so are they.

All must be runs of programs that this host recorded: hosts have clocks of their own. Notes and tags stay with the
runs that they were written about. To join a command to a run in progress, use verbslab exec --with.

Examples:
  verbslab runs join 12 13
  verbslab runs join 12 13 --json | jq .run.number`,
    )
    .action((name: string, others: string[], _: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      return connected(async (client) => {
        const run = await join(client, [name, ...others]);
        const parts = (run.parts ?? []).map(({ number }) => number);
        if (json) printJson({ run });
        else print(`Run ${run.number}: ${run.title}\nJoined from runs ${parts.join(' and ')}.`);
      });
    });
}
