import { sweepExport } from '@verbslab/labs';
import { AppError, zSweepId, type SweepRecord } from '@verbslab/protocol';
import { Command, InvalidArgumentError } from 'commander';
import type { AgentClient } from '../client/client.js';
import { connected } from './connected.js';
import { sweepText } from './sweep-run.js';
import { muted, print, printJson, table } from './terminal.js';

const MOST = 500;
const WHICH = 'its number, or the id in the address of its page';

/** A sweep as it was named: by its number, or by the id in the address of its page. */
type Named = { number: number } | { id: string };

function parseSweep(text: string): Named {
  // An id of ten digits is a number too; no agent has so many sweeps.
  if (zSweepId.safeParse(text).success) return { id: text };
  if (/^[1-9]\d*$/.test(text)) return { number: Number(text) };
  throw new InvalidArgumentError('It must be the number or the id of a sweep.');
}

async function idOf(client: AgentClient, named: Named): Promise<string> {
  if ('id' in named) return named.id;
  const { sweeps } = await client.request('sweep.list', { limit: MOST });
  const found = sweeps.find((one) => one.number === named.number);
  if (!found) throw new AppError('UNKNOWN_SWEEP', { sweep: named.number });
  return found.id;
}

function listText(sweeps: readonly SweepRecord[]): string {
  if (sweeps.length === 0)
    return 'There are no sweeps yet. Start one with `verbslab run bulk --sweep size=4KiB..1MiB*4`.';
  const rows = sweeps.map(({ number, title, state, measured, total, plan, createdAt }) => [
    String(number),
    title,
    state,
    `${measured} of ${total}`,
    plan.axes.map(({ param }) => param).join(', '),
    muted(new Date(createdAt).toISOString().slice(0, 19).replace('T', ' ')),
  ]);
  return table([['Sweep', 'Lab', 'State', 'Runs', 'Over', 'Started (UTC)'].map(muted), ...rows], [0]);
}

function change(name: 'pause' | 'resume' | 'cancel', description: string): Command {
  return new Command(name)
    .description(description)
    .argument('<sweep>', WHICH, parseSweep)
    .action((named: Named) =>
      connected(async (client) => {
        const sweepId = await idOf(client, named);
        const { sweep } = await client.request(`sweep.${name}`, { sweepId });
        print(listText([sweep]));
      }),
    );
}

export function sweepsCommand(): Command {
  return new Command('sweeps')
    .description('list the latest sweeps; show, pause, resume or cancel one')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  verbslab sweeps
  verbslab sweeps show 3
  verbslab sweeps show 3 --json > sweep-3.json
  verbslab sweeps pause 3
  verbslab sweeps resume 3`,
    )
    .action(({ json }: { json?: boolean }) =>
      connected(async (client) => {
        const { sweeps } = await client.request('sweep.list', {});
        if (json) printJson({ sweeps });
        else print(listText(sweeps));
      }),
    )
    .addCommand(
      new Command('show')
        .description('the curves of a sweep')
        .argument('<sweep>', WHICH, parseSweep)
        .option('--json', 'print one JSON object')
        .action((named: Named, _options: unknown, command: Command) =>
          connected(async (client, labs) => {
            const { json } = command.optsWithGlobals<{ json?: boolean }>();
            const sweepId = await idOf(client, named);
            const { sweep, measurements } = await client.request('sweep.get', { sweepId });
            const end = { sweep, measurements, lab: labs.find((one) => one.id === sweep.plan.lab) };
            if (json) printJson(sweepExport(sweep, measurements, end.lab));
            else print(sweepText(end));
          }),
        ),
    )
    .addCommand(change('pause', 'finish the run in progress and start no more'))
    .addCommand(change('resume', 'continue a paused sweep'))
    .addCommand(change('cancel', 'cancel a sweep and its run; keep what was measured'));
}
