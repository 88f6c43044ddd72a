import { plural } from '@verbslab/labs';
import { TASKS } from '@verbslab/labs/workbench';
import type { AgentMessageOf } from '@verbslab/protocol';
import { Command } from 'commander';
import { connected } from './connected.js';
import { bold, muted, print, printJson, table } from './terminal.js';
import { workbenchCheckCommand } from './workbench-check.js';
import { workbenchNewCommand } from './workbench-new.js';

type Workbench = AgentMessageOf<'workbench'>;

function listText({ allowed, command, languages, gaps }: Workbench): string {
  const rows = TASKS.map(({ id, title, points }) => [
    `  ${id}`,
    title,
    muted(plural(points.length, 'point')),
  ]);
  const notes = [
    ...(allowed ? [] : [`The agent runs none of them yet. Its owner allows it: ${command}`]),
    ...languages
      .filter(({ missing }) => missing.length > 0)
      .map(
        ({ name, missing, install }) =>
          `Missing for ${name === 'c' ? 'C' : 'TypeScript'}: ${missing.join(', ')}. Install: ${install}`,
      ),
    ...gaps,
  ];
  return [`${bold('Tasks of the workbench')}\n${table(rows)}`, ...notes].join('\n\n');
}

export function workbenchCommand(): Command {
  return new Command('workbench')
    .description('write RDMA programs, task by task, and have them checked')
    .option('--json', 'print one JSON object: the tasks, and what the agent can run')
    .addHelpText(
      'after',
      `
Without a subcommand it lists the tasks. A task asks for one small program, in C or in TypeScript, that opens the
device, connects two queue pairs and moves data. The checker looks at what the device saw of the program, never at
its source: objects, attributes, work requests, completions, packets, leaks and misuse.

The agent compiles and runs the program confined: it reaches the embedded device and its own folder, and is stopped
if it tries anything else or takes too long. The agent's owner has to allow that: verbslab up --allow-programs

Examples:
  verbslab workbench
  verbslab workbench new send --language c ~/send      a folder with program, Makefile and README
  verbslab workbench check send ~/send                 compile, run and check it
  verbslab workbench check send main.ts --json`,
    )
    .addCommand(workbenchNewCommand())
    .addCommand(workbenchCheckCommand())
    .action(async ({ json = false }: { json?: boolean }) => {
      const found = await connected((client) => client.request('workbench.list', {}));
      if (!json) return print(listText(found));
      const { allowed, command, languages, limits, gaps } = found;
      const tasks = TASKS.map(({ id, title, points }) => ({ id, title, points }));
      printJson({ tasks, allowed, command, languages, limits, gaps });
    });
}
