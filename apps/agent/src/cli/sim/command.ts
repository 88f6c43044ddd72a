import { AppError } from '@verbslab/protocol';
import { Command, InvalidArgumentError } from 'commander';
import { list } from '../options.js';
import { print, printJson, table } from '../terminal.js';
import { scenarioSchema } from '../../simulator/simulator.js';
import { scenarioOf, scenarioOfRun, type GivenScenario } from './read-scenario.js';
import { run, type RunOptions } from './run.js';
import { SCENARIOS, setMember, SHORT } from './scenarios.js';

interface Options extends RunOptions {
  from?: string;
  set: string[];
  seed?: number;
  show?: boolean;
  schema?: boolean;
}

function seedOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Give a whole number of at most 15 digits.');
  return Number(text);
}

export function simCommand(): Command {
  return new Command('sim')
    .description('simulate a fabric: many hosts with this transport engine, switches, PFC, ECN')
    .argument('[scenario]', 'a scenario by its name, or a file of JSON; - reads it from stdin')
    .option('--set <name=value>', 'change a member of the scenario; may be repeated', list, [])
    .option('--from <run>', 'the scenario of an earlier run, by its number or ID')
    .option('--seed <n>', 'of all that is random: the same seed gives the same run', seedOf)
    .option('--series <file>', 'write the samples to this file, one line of JSON each')
    .option('--pcap <file>', 'capture the packets that arrive at the hosts')
    .option(
      '--pcap-at <host:N>',
      'capture what this host sends and receives instead; may be repeated',
      list,
      [],
    )
    .option('--pcap-limit <MiB>', 'largest size of the capture (256)')
    .option('--pcap-payload', 'capture whole packets: payload, which is zeros, and its ICRC')
    .option('--flows', 'each flow as well, with --json')
    .option('--show', 'print the scenario instead of running it')
    .option('--schema', 'print the JSON Schema of a scenario: its members, limits and defaults')
    .option('--no-agent', 'do not keep the run in the history of the agent')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Without a scenario it lists those that it knows. Every run says which mechanisms acted, and how far the others
were from it. --set takes the path of any member (docs/simulator.md), or one of the short names
${Object.keys(SHORT).join(', ')}.

While an agent runs (verbslab up), it keeps the simulation as a run: its page shows it live, with the queues and
rates over virtual time. The address of the page is printed on stderr. verbslab runs lists, compares and exports
such runs as all others, and --from runs the scenario of one again. Ctrl-C cancels; what was simulated until then
is kept.

The exit code is 0 if the scenario was simulated, 2 if it cannot run, 130 if it was cancelled, 1 for other errors.

Examples:
  verbslab sim
  verbslab sim incast --set hosts=33 --set congestion=dcqcn-nic --set switch.ecn.kmin_bytes=100000
  verbslab sim loss --set loss=0.01 --set timeout=14 --seed 7 --json
  verbslab sim go-back-0 --set recovery=go-back-n
  verbslab sim --from 12 --seed 8
  verbslab sim --from 12 --show > scenario.json
  verbslab sim incast --pcap incast.pcap && verbslab decode incast.pcap --diagnose
  verbslab sim incast --show > mine.json && verbslab sim mine.json --series samples.jsonl`,
    )
    .action(async (given: string | undefined, options: Options) => {
      if (options.schema) return printJson(scenarioSchema());
      if (given === undefined && options.from === undefined) {
        if (options.json) printJson({ scenarios: SCENARIOS });
        else print(table(SCENARIOS.map(({ name, asks }) => [name, asks])));
        return;
      }
      const scenario = await asked(given, options);
      const changes = new Map(options.set.map((change) => setMember(scenario.scenario, change)));
      if (options.seed !== undefined) scenario.scenario['seed'] = options.seed;
      if (options.show) return printJson(scenario.scenario);
      await run(scenario, changes, options);
    });
}

function asked(given: string | undefined, { from }: Options): GivenScenario | Promise<GivenScenario> {
  if (from === undefined) return scenarioOf(given!);
  if (given === undefined) return scenarioOfRun(from);
  throw new AppError('USAGE', {
    detail: `--from and a scenario (${given}) contradict each other`,
    hint: 'Leave one of them out.',
  });
}
