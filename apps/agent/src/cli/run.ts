import {
  AppError,
  decodeSeries,
  decodeHeader,
  isFinal,
  parseQuantity,
  type AgentMessage,
  type Guess,
  type LabDescription,
  type RunEvent,
  type RunRecord,
  type RunResult,
  type SeriesRecord,
} from '@verbslab/protocol';
import { goodputText, LABS, readSweep, sweepExport, sweepGrid } from '@verbslab/labs';
import { Command } from 'commander';
import { AgentClient } from '../client/client.js';
import { findOrStart } from './find-or-start.js';
import { createLogger } from '../base/log.js';
import { describeLab } from './labs.js';
import { collect, list, logLevelOption, repetitions } from './options.js';
import { report } from './report.js';
import { injectedInto, plannedFaults } from './planned-faults.js';
import { checkRuns, followSweep, propertiesOf, sweepText } from './sweep-run.js';
import { EXIT_INTERRUPTED, print, printJson, StatusLine } from './terminal.js';

interface RunCommandOptions {
  set?: Record<string, string>;
  device?: string;
  on?: Record<string, string>;
  variation?: string;
  predict?: Record<string, string>;
  sweep?: string[];
  repeat?: number;
  faults?: string[];
  faultRule?: string[];
  replayFaults?: string;
  json?: boolean;
  logLevel: string;
}

/** Follows one run on a connection until it has ended and its stream is complete. */
class Follower {
  readonly finished: Promise<void>;
  record: RunRecord | null = null;
  readonly #status = new StatusLine();
  readonly #labels = new Map<number, string>();
  #done!: () => void;
  #gone!: (error: unknown) => void;
  #progress = '';
  #figures = '';

  constructor() {
    this.finished = new Promise((resolve, reject) => {
      this.#done = resolve;
      this.#gone = reject;
    });
    this.finished.catch(() => undefined);
  }

  readonly events = {
    onMessage: (message: AgentMessage): void => {
      if (message.type === 'run.events') message.events.forEach((event) => this.#onEvent(event));
      if (message.type === 'run.changed' && message.run.id === this.record?.id) this.record = message.run;
      if (message.type === 'run.complete') {
        this.#status.clear();
        this.#done();
      }
    },
    onFrame: (frame: Uint8Array): void => {
      const { kind, source } = decodeHeader(frame);
      if (kind !== 'series') return;
      const last = decodeSeries(frame).at(-1);
      if (last && last.bytes > 0) this.#figures = figures(this.#labels.get(source) ?? '', last);
      this.#show();
    },
    onClose: (): void => {
      this.#status.clear();
      this.#gone(
        new AppError('AGENT_UNREACHABLE', { url: 'this machine', detail: 'it stopped during the run' }),
      );
    },
  };

  #onEvent(event: RunEvent): void {
    if (event.kind === 'source') this.#labels.set(event.source, event.label);
    if (event.kind === 'phase' && event.phase === 'begin') this.#figures = '';
    if (event.kind === 'progress') {
      const left = event.secondsLeft === null ? '' : `, ${Math.ceil(event.secondsLeft)} s left`;
      this.#progress = `${Math.round(event.fraction * 100)} %  ${event.text}${left}`;
    }
    if (event.kind === 'run.state' && isFinal(event.state)) return;
    this.#show();
  }

  #show(): void {
    this.#status.show([this.#progress, this.#figures].filter((part) => part !== '').join('  |  '));
  }
}

function figures(label: string, { bytes, intervalNs, messages }: SeriesRecord): string {
  return `${label} ${goodputText((bytes * 8) / intervalNs)}, ${Math.round((messages / intervalNs) * 1e9)} msg/s`;
}

/** `--set` takes places too, as long as no parameter has the name of the endpoint. */
function placed(
  lab: LabDescription | undefined,
  { set = {}, on = {} }: RunCommandOptions,
): { params: Record<string, string>; endpoints?: Record<string, string> } {
  const parameters = Object.keys((lab?.params.properties ?? {}) as object);
  const roles = (lab?.roles ?? []).map(({ name }) => name).filter((role) => !parameters.includes(role));
  const isPlace = (name: string): boolean =>
    roles.includes(name.replace(/-\d+$/, '')) || roles.includes(name);
  const entries = Object.entries(set);
  const endpoints = { ...Object.fromEntries(entries.filter(([name]) => isPlace(name))), ...on };
  return {
    params: Object.fromEntries(entries.filter(([name]) => !isPlace(name))),
    ...(Object.keys(endpoints).length === 0 ? {} : { endpoints }),
  };
}

/** `--predict` as the lab asks for it; the agent refuses what does not fit. */
function predicted(
  lab: LabDescription | undefined,
  { predict = {} }: RunCommandOptions,
): { predictions?: Record<string, Guess> } {
  const guesses = Object.entries(predict).map(([id, text]): [string, Guess] => {
    const prediction = lab?.predictions?.find((one) => one.id === id);
    if (prediction?.kind === 'order') return [id, text.split(',').map((one) => one.trim())];
    const number = prediction?.kind === 'number' ? parseQuantity(text, prediction.unit) : null;
    return [id, number ?? text];
  });
  return guesses.length === 0 ? {} : { predictions: Object.fromEntries(guesses) };
}

/** 0: done and every check holds; 1: failed; 130: cancelled by Ctrl-C. */
function exitCode(result: RunResult): number {
  if (result.state === 'cancelled') return EXIT_INTERRUPTED;
  return result.state === 'done' && result.checks.every((check) => check.ok) ? 0 : 1;
}

/** Values that `--sweep` gives, one run each and repetition. */
async function sweepLab(lab: string, options: RunCommandOptions): Promise<void> {
  const end = await followSweep(
    lab,
    (description) => {
      if (!description) {
        const known = LABS.map((one) => one.description.id).join(', ');
        throw new AppError('UNKNOWN_LAB', { lab, known });
      }
      const swept = (options.sweep ?? []).map((text) => readSweep(lab, text, propertiesOf(description)));
      const names = swept.map(({ param }) => param);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) {
        const detail = 'it is swept twice';
        throw new AppError('BAD_PARAM', { param: twice, detail, hint: 'Sweep each parameter once.' });
      }
      if (swept.length > 2)
        throw new AppError('LIMIT', { what: 'Too many swept parameters', value: swept.length, limit: 2 });
      const repeat = options.repeat ?? 1;
      checkRuns(swept, repeat);
      return {
        lab,
        ...placed(description, options),
        ...(options.variation === undefined ? {} : { variation: options.variation }),
        ...(options.device === undefined ? {} : { device: options.device }),
        axes: swept.map(({ param, scale }) => ({ param, scale })),
        points: sweepGrid(swept),
        repeat,
      };
    },
    { logLevel: options.logLevel, quiet: options.json === true },
  );
  if (options.json) printJson(sweepExport(end.sweep, end.measurements, end.lab));
  else print(`\n${sweepText(end)}`);
}

async function runLab(lab: string, options: RunCommandOptions): Promise<void> {
  if (options.sweep) {
    if (options.faults ?? options.faultRule ?? options.replayFaults)
      throw new AppError('USAGE', {
        detail: 'A sweep takes no faults',
        hint: 'Run its points one by one, or sweep a lab of the track “Loss and delay”.',
      });
    return sweepLab(lab, options);
  }
  if (options.repeat !== undefined) {
    const detail = '--repeat needs a sweep';
    throw new AppError('USAGE', { detail, hint: 'Add --sweep name=values.' });
  }
  const found = await findOrStart(createLogger(options.logLevel));
  const follower = new Follower();
  let client: AgentClient | null = null;
  let interrupts = 0;
  const interrupt = (): void => {
    // The second Ctrl-C does not wait for anything.
    if (++interrupts > 1) process.exit(EXIT_INTERRUPTED);
    const id = follower.record?.id;
    if (!client || id === undefined) process.exit(EXIT_INTERRUPTED);
    client.request('run.cancel', { runId: id }).catch(() => undefined);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  try {
    const connected = await AgentClient.connect(found.address, follower.events);
    client = connected.client;
    const description = connected.welcome.labs.find(({ id }) => id === lab);
    const faults = await plannedFaults(options, (name) =>
      injectedInto(connected.client, found.address, name),
    );
    const { run } = await client.request('run.start', {
      lab,
      ...placed(description, options),
      ...predicted(description, options),
      ...(options.variation === undefined ? {} : { variation: options.variation }),
      mode: 'all',
      ...(options.device === undefined ? {} : { device: options.device }),
      ...(faults.length === 0 ? {} : { faults }),
    });
    follower.record = run;
    await client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
    await follower.finished;
    const ended = (await client.request('run.get', { runId: run.id })).run;
    const result = ended.result;
    if (!result) throw new AppError('INTERNAL', { detail: 'the run ended without a result' });
    if (options.json) printJson(result);
    else print(report(ended, result, description));
    process.exitCode = exitCode(result);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    await client?.close();
    await found.release();
  }
}

export function runCommand(): Command {
  return new Command('run')
    .description('run a lab and report its figures')
    .argument('<lab>', LABS.map(({ description }) => description.id).join(', '))
    .option('-s, --set <name=value>', 'set a parameter; can be repeated', collect)
    .option('-v, --variation <name>', 'start from the parameters of a variation of the lab')
    .option(
      '-p, --predict <name=value>',
      'what you expect, shown beside the measurement; can be repeated',
      collect,
    )
    .option('-d, --device <name>', 'RDMA device (default: the embedded one)')
    .option('-o, --on <role=host/device>', 'device for an endpoint; can be repeated', collect)
    .option('--sweep <name=values>', 'run once per value; give two for a grid', list)
    .option('--faults <settings>', 'lose, delay or damage packets; can be repeated with at=2s', list)
    .option('--fault-rule <rule>', 'the same for certain packets, from the start; can be repeated', list)
    .option('--replay-faults <run>', 'inject what was injected into an earlier run, at the same times')
    .option('--repeat <count>', 'runs of each point of a sweep (default: 1)', repetitions)
    .option('--json', 'print one JSON object instead of the report')
    .addOption(logLevelOption())
    .addHelpText(
      'after',
      `
Labs and their parameters:
${LABS.map(({ description }) => describeLab(description)).join('\n')}

Uses the running agent, or starts one for this run only. The run is kept in the history either way.
Endpoints can be on paired hosts (verbslab peers --help). verbslab labs <lab> names
the endpoints and variations of a lab.
Sizes take KiB, MiB, GiB. Ctrl-C cancels. The exit code is 0 if the run is done and its checks hold,
1 if not, 2 for a wrong name or value, 130 if cancelled.

Faults are described by verbslab faults --help; here they may have at=TIME and endpoint=NAME as well.

A sweep takes a list (1,4,16), a range with a factor (4KiB..1MiB*2), or a range with a step (1..9+2).
Repetitions take turns: each round measures every point once. verbslab sweeps lists sweeps.

Examples:
  verbslab run minimal-flow
  verbslab run bulk --set duration=3
  verbslab run bulk --on server=vm1/rxe0 --on client=local/uroce0
  verbslab run bulk --faults loss=1%,seed=7 --faults at=3s,off
  verbslab run bulk --variation quick --sweep size=4KiB..1MiB*4 --repeat 3
  verbslab run bulk --set size=4KiB --set operation=read --json | jq .transports.rdma.goodputGbps`,
    )
    .action((lab: string, options: RunCommandOptions) => runLab(lab, options));
}
