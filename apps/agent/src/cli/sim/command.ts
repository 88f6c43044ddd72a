import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, type Scenario, type Simulated } from '@verbslab/protocol';
import { Command, InvalidArgumentError } from 'commander';
import { bold, muted, print, printJson, StatusLine, table } from '../terminal.js';
import { faultOf, refused, scenarioSchema, simulate } from '../../simulator/simulator.js';
import { SCENARIOS, setMember, SHORT } from './scenarios.js';

interface Options {
  set: string[];
  seed?: number;
  series?: string;
  pcap?: string;
  pcapAt: string[];
  pcapLimit?: string;
  pcapPayload?: boolean;
  flows?: boolean;
  show?: boolean;
  schema?: boolean;
  json?: boolean;
}

function seedOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number of at most 15 digits.');
  return Number(text);
}

/** The named scenario, or the one in a file. */
function scenarioOf(given: string): Scenario {
  const named = SCENARIOS.find(({ name }) => name === given);
  if (named) return { name: given, ...structuredClone(named.scenario) };
  if (!/[./]/.test(given) && given !== '-')
    throw new AppError('UNKNOWN_SCENARIO', {
      scenario: given,
      known: SCENARIOS.map(({ name }) => name).join(', '),
    });
  let text: string;
  try {
    text = readFileSync(given === '-' ? 0 : given, 'utf8');
  } catch (error) {
    throw refused(`${given} cannot be read: ${(error as Error).message}`);
  }
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Scenario;
  } catch (error) {
    throw refused(`${given} is no JSON: ${(error as Error).message}`);
  }
  throw refused(`${given} holds no JSON object`);
}

function writer(file: string): { write: (line: string) => void; close: () => void } {
  try {
    const fd = openSync(file, 'w');
    return { write: (line) => writeSync(fd, `${line}\n`), close: () => closeSync(fd) };
  } catch (error) {
    throw refused(`${file} cannot be written: ${(error as Error).message}`);
  }
}

const number = (value: number): string => value.toLocaleString('en-GB', { maximumSignificantDigits: 4 });

function printResult({ mechanisms, result, pcap }: Omit<Simulated, 'samples'>): void {
  const times = result.flow_time_us;
  const flows = `${result.flows_finished} finished, ${result.flows_failed} failed, ${result.flows_unfinished} not finished`;
  const rows: [string, string][] = [
    ['virtual time', `${number(result.us)} µs${result.stopped_by ? `, ended by ${result.stopped_by}` : ''}`],
    ['goodput', `${number(result.goodput_gbps)} Gb/s, all hosts`],
    ['flows', flows],
    ...(times
      ? [
          ['time of a flow', `median ${number(times.p50)} µs, p99 ${number(times.p99)} µs`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(result.fairness === undefined
      ? []
      : [['fairness', `${result.fairness.toFixed(3)} (Jain’s index)`] as [string, string]]),
    ['deepest queue', `${number(result.queue_max_bytes)} B`],
    ['sent again', `${number(result.retransmitted)} packets`],
    ...(result.laws
      ? [
          [
            'laws',
            `${number(result.laws.checked)} checked, ${result.laws.broken.length === 0 ? 'all hold' : `${result.laws.broken.length} broken`}`,
          ] as [string, string],
        ]
      : []),
    ['trace', result.trace],
  ];
  print(table(rows.map(([name, text]) => [`  ${name}`, text])));
  const fired = mechanisms.filter((one) => one.fired > 0);
  const quiet = mechanisms.filter((one) => one.fired === 0);
  if (fired.length > 0) print(`\n${bold('What acted')}\n${fired.map(({ says }) => `  ${says}`).join('\n')}`);
  if (quiet.length > 0)
    print(`\n${bold('What did not')}\n${quiet.map(({ says }) => `  ${muted(says)}`).join('\n')}`);
  const notes = result.notes ?? [];
  if (notes.length > 0)
    print(`\n${bold('Rules without effect')}\n${notes.map((note) => `  ${note}`).join('\n')}`);
  if (pcap) print(`\n${pcap.says}`);
  print('\nSimulated: hosts run the transport engine of the embedded device in virtual time.');
}

/** Options of the simulator for what is to be captured; it checks them. */
const captureOptions = ({ pcap, pcapAt, pcapLimit, pcapPayload }: Options): string[] => [
  ...(pcap === undefined ? [] : ['--pcap', resolve(pcap)]),
  ...pcapAt.flatMap((at) => ['--pcap-at', at]),
  ...(pcapLimit === undefined ? [] : ['--pcap-limit', pcapLimit]),
  ...(pcapPayload ? ['--pcap-payload'] : []),
];

async function run(scenario: Scenario, options: Options): Promise<void> {
  const { series, flows = false, json } = options;
  const out = series === undefined ? null : writer(series);
  const status = new StatusLine();
  const length = Number(scenario['duration_us'] ?? 1000);
  try {
    const done = await simulate(scenario, {
      flows,
      capture: captureOptions(options),
      onSample: ({ us }, line) => {
        out?.write(line);
        status.show(`${number(us)} of at most ${number(length)} µs of virtual time`);
      },
    });
    status.clear();
    if (json) printJson(done);
    else printResult(done);
    const fault = faultOf(done.result);
    if (fault) throw fault;
  } finally {
    status.clear();
    out?.close();
  }
}

export function simCommand(): Command {
  return new Command('sim')
    .description('simulate a fabric: many hosts with this transport engine, switches, PFC, ECN')
    .argument('[scenario]', 'a scenario by its name, or a file of JSON; - reads it from stdin')
    .option(
      '--set <name=value>',
      'change a member of the scenario; may be repeated',
      (one, all: string[]) => [...all, one],
      [],
    )
    .option('--seed <n>', 'of all that is random: the same seed gives the same run', seedOf)
    .option('--series <file>', 'write the samples to this file, one line of JSON each')
    .option('--pcap <file>', 'capture the packets that arrive at the hosts')
    .option(
      '--pcap-at <host:N>',
      'capture what this host sends and receives instead; may be repeated',
      (one, all: string[]) => [...all, one],
      [],
    )
    .option('--pcap-limit <MiB>', 'largest size of the capture (256)')
    .option('--pcap-payload', 'capture whole packets: payload, which is zeros, and its ICRC')
    .option('--flows', 'each flow as well, with --json')
    .option('--show', 'print the scenario instead of running it')
    .option('--schema', 'print the JSON Schema of a scenario: its members, limits and defaults')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Without a scenario it lists those that it knows. Every run says which mechanisms acted, and how far the others
were from it. --set takes the path of any member (docs/simulator.md), or one of the short names
${Object.keys(SHORT).join(', ')}.

Examples:
  verbslab sim
  verbslab sim incast --set hosts=33 --set congestion=dcqcn-nic --set switch.ecn.kmin_bytes=100000
  verbslab sim loss --set loss=0.01 --set timeout=14 --seed 7 --json
  verbslab sim go-back-0 --set recovery=go-back-n
  verbslab sim incast --pcap incast.pcap && verbslab decode incast.pcap --diagnose
  verbslab sim incast --show > mine.json && verbslab sim mine.json --series samples.jsonl`,
    )
    .action(async (given: string | undefined, options: Options) => {
      if (options.schema) return printJson(scenarioSchema());
      if (given === undefined) {
        if (options.json) printJson({ scenarios: SCENARIOS });
        else print(table(SCENARIOS.map(({ name, asks }) => [name, asks])));
        return;
      }
      const scenario = scenarioOf(given);
      for (const change of options.set) setMember(scenario, change);
      if (options.seed !== undefined) scenario['seed'] = options.seed;
      if (options.show) return printJson(scenario);
      await run(scenario, options);
    });
}
