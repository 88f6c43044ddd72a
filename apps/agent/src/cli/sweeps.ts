import { AppError, type SweepRecord } from '@verbslab/protocol';
import { Command, InvalidArgumentError } from 'commander';
import { AgentClient } from '../client/client.js';
import { findOrStart } from '../client/find.js';
import { createLogger } from '../log.js';
import { sweepJson, sweepText } from './sweep-run.js';
import { muted, print, printJson, table } from './terminal.js';

const MOST = 500;

function parseNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be the number of a sweep.');
  return Number(text);
}

async function connected<T>(body: (client: AgentClient, labs: LabList) => Promise<T>): Promise<T> {
  const found = await findOrStart(createLogger('warn'));
  let client: AgentClient | null = null;
  try {
    const connection = await AgentClient.connect(found.address, {});
    client = connection.client;
    return await body(client, connection.welcome.labs);
  } finally {
    await client?.close();
    await found.release();
  }
}
type LabList = Awaited<ReturnType<typeof AgentClient.connect>>['welcome']['labs'];

async function byNumber(client: AgentClient, number: number): Promise<SweepRecord> {
  const { sweeps } = await client.request('sweep.list', { limit: MOST });
  const found = sweeps.find((one) => one.number === number);
  if (!found) throw new AppError('UNKNOWN_SWEEP', { sweep: number });
  return found;
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
    .argument('<sweep>', 'its number', parseNumber)
    .action((number: number) =>
      connected(async (client) => {
        const { id } = await byNumber(client, number);
        const { sweep } = await client.request(`sweep.${name}`, { sweepId: id });
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
        .argument('<sweep>', 'its number', parseNumber)
        .option('--json', 'print one JSON object')
        .action((number: number, _options: unknown, command: Command) =>
          connected(async (client, labs) => {
            const { json } = command.optsWithGlobals<{ json?: boolean }>();
            const { id } = await byNumber(client, number);
            const { sweep, measurements } = await client.request('sweep.get', { sweepId: id });
            const end = { sweep, measurements, lab: labs.find((one) => one.id === sweep.plan.lab) };
            if (json) printJson(sweepJson(end));
            else print(sweepText(end));
          }),
        ),
    )
    .addCommand(change('pause', 'finish the run in progress and start no more'))
    .addCommand(change('resume', 'continue a paused sweep'))
    .addCommand(change('cancel', 'cancel a sweep and its run; keep what was measured'));
}
