import {
  AppError,
  isFinal,
  isProgram,
  peerRuns,
  terminalStreams,
  type AgentMessage,
  type LabDescription,
  type RunEvent,
  type RunEventOf,
  type RunRecord,
} from '@verbslab/protocol';
import { Command } from 'commander';
import { AgentClient } from '../client/client.js';
import { findOrStart } from '../client/find.js';
import { createLogger } from '../log.js';
import { findRun } from './find-run.js';
import { report, stateText } from './report.js';
import { bold, muted, print, printJson } from './terminal.js';

type Output = RunEventOf<'output'>;

/** Reads the stream of a run up to its present end and keeps what `wanted` picks. */
class Reader<T extends RunEvent> {
  readonly kept: T[] = [];
  readonly #wanted: (event: RunEvent) => event is T;
  #done: () => void = () => undefined;
  #gone: (error: AppError) => void = () => undefined;

  constructor(wanted: (event: RunEvent) => event is T) {
    this.#wanted = wanted;
  }

  readonly events = {
    onMessage: (message: AgentMessage): void => {
      if (message.type === 'run.events') this.kept.push(...message.events.filter(this.#wanted));
      if (message.type === 'run.complete' || message.type === 'run.live') this.#done();
    },
    onClose: (): void =>
      this.#gone(new AppError('AGENT_UNREACHABLE', { url: 'this machine', detail: 'the connection closed' })),
  };

  async read(client: AgentClient, runId: string): Promise<void> {
    const end = new Promise<void>((resolve, reject) => {
      this.#done = resolve;
      this.#gone = reject;
    });
    await Promise.all([client.request('run.subscribe', { runId, fromSeq: 1 }), end]);
  }
}

/** By time: the end of each stream is reported when the program has ended. */
const byTime = (output: readonly Output[]): Output[] =>
  [...output].sort((a, b) => a.t - b.t || a.seq - b.seq);

interface Line {
  stream: string;
  text: string;
}

const lineText = ({ stream, text }: Line): string => `${muted(stream.padEnd(6))} ${text}`;

/** Each line with the stream that it came from. */
function outputLines(output: readonly Output[]): string[] {
  const lines: string[] = [];
  // The line that is not complete yet.
  let line: Line | null = null;
  for (const { stream, text, leftOut } of byTime(output)) {
    if (line !== null && (line.stream !== stream || leftOut !== undefined)) {
      lines.push(lineText(line));
      line = null;
    }
    if (leftOut !== undefined) lines.push(muted(`${stream.padEnd(6)} … ${leftOut} bytes left out …`));
    const whole: string[] = `${line?.text ?? ''}${text}`.split('\n');
    const rest = whole.pop() ?? '';
    lines.push(...whole.map((one) => lineText({ stream, text: one })));
    line = rest === '' ? null : { stream, text: rest };
  }
  if (line !== null) lines.push(lineText(line));
  return lines;
}

/** Peers start together, so they are among this many runs on either side. */
const NEAR = 32;

/** Runs of the programs that a program was connected to. */
async function findPeers(client: AgentClient, run: RunRecord): Promise<RunRecord[]> {
  if (!isProgram(run)) return [];
  const { runs } = await client.request('run.list', { limit: 2 * NEAR, before: run.number + NEAR });
  return peerRuns(run, runs);
}

function textOf(
  run: RunRecord,
  peers: readonly RunRecord[],
  output: readonly Output[],
  labs: readonly LabDescription[],
): string {
  const { result } = run;
  const lab = labs.find(({ id }) => id === run.lab);
  const head = result ? report(run, result, lab) : `${bold(run.title)}  ${stateText(run.state, undefined)}`;
  const connected = peers.map(({ number, title }) => `Connected to run ${number}: ${title}`);
  const lines = outputLines(output);
  const terminal = terminalStreams(run);
  const missing =
    terminal.length > 0
      ? [muted(`${terminal.join(' and ')}: printed to a terminal, not recorded (exec --keep-output).`)]
      : [];
  const shown = lines.length > 0 || missing.length > 0 ? ['', bold('Output'), ...missing, ...lines] : [];
  return [head, ...connected, ...shown].join('\n');
}

export function runsShowCommand(): Command {
  return new Command('show')
    .description('show one run: how it ended, its figures, and what its program printed')
    .argument('<run>', 'number or ID of the run')
    .option('--json', 'print one JSON object: `run` and `output`')
    .addHelpText(
      'after',
      `
The first and the last 256 KiB of each output stream of a program are kept.

Examples:
  verbslab runs show 12
  verbslab runs show 12 --json | jq -r '.output[] | select(.stream == "stderr").text'`,
    )
    .action(async (name: string, _: unknown, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      const found = await findOrStart(createLogger('warn'));
      const reader = new Reader((event): event is Output => event.kind === 'output');
      let client: AgentClient | null = null;
      try {
        const connected = await AgentClient.connect(found.address, reader.events);
        client = connected.client;
        const { id } = await findRun(client, name);
        await reader.read(client, id);
        const { run } = await client.request('run.get', { runId: id });
        if (json) printJson({ run, output: byTime(reader.kept) });
        else print(textOf(run, await findPeers(client, run), reader.kept, connected.welcome.labs));
        if (!isFinal(run.state) && !json) print(muted('\nThe run is still in progress.'));
      } finally {
        await client?.close();
        await found.release();
      }
    });
}
