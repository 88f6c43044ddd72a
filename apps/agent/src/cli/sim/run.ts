import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatBytes } from '@verbslab/labs';
import {
  MOST_SCENARIO_TEXT,
  toErrorInfo,
  type RunRecord,
  type Simulated,
  type SimulatedFabric,
} from '@verbslab/protocol';
import { SimulationRegistration, type RegistrationEvents } from '../../simulator/registration.js';
import { keptScenario } from '../../simulator/simulation.js';
import { faultOf, refused, simulate } from '../../simulator/simulator.js';
import { EXIT_INTERRUPTED, printJson, printNote } from '../terminal.js';
import { nameOf, parametersOf } from './parameters.js';
import { SimulationProgress } from './progress.js';
import type { GivenScenario } from './read-scenario.js';
import { number, printResult } from './result-text.js';
import type { MemberValue } from './scenarios.js';

export interface RunOptions {
  series?: string;
  pcap?: string;
  pcapAt: string[];
  pcapLimit?: string;
  pcapPayload?: boolean;
  flows?: boolean;
  json?: boolean;
  agent: boolean;
}

const say = (text: string): void => printNote(`verbslab: ${text}`);

function writer(file: string): { write: (line: string) => void; close: () => void } {
  try {
    const fd = openSync(file, 'w');
    return { write: (line) => writeSync(fd, `${line}\n`), close: () => closeSync(fd) };
  } catch (error) {
    throw refused(`${file} cannot be written: ${(error as Error).message}`);
  }
}

/** Options of the simulator for what is to be captured; it checks them. */
const captureOptions = ({ pcap, pcapAt, pcapLimit, pcapPayload }: RunOptions): string[] => [
  ...(pcap === undefined ? [] : ['--pcap', resolve(pcap)]),
  ...pcapAt.flatMap((at) => ['--pcap-at', at]),
  ...(pcapLimit === undefined ? [] : ['--pcap-limit', pcapLimit]),
  ...(pcapPayload ? ['--pcap-payload'] : []),
];

/** The scenario is simulated whether or not the agent keeps it. */
async function register(events: RegistrationEvents): Promise<SimulationRegistration | null> {
  try {
    return await SimulationRegistration.connect(events);
  } catch (error) {
    const { message, cure } = toErrorInfo(error);
    events.onLost(`${message} ${cure}`.trim());
    return null;
  }
}

/** Runs a scenario, and has the running agent keep it. Ctrl-C cancels. */
export async function run(
  given: GivenScenario,
  changes: ReadonlyMap<string, MemberValue>,
  options: RunOptions,
): Promise<void> {
  const { series, flows = false, json = false } = options;
  const out = series === undefined ? null : writer(series);
  const progress = new SimulationProgress(given.scenario, json);
  const cancelled = new AbortController();
  let lost = false;
  const note = (text: string): void => {
    progress.clear();
    say(text);
  };
  const registration = options.agent
    ? await register({
        onRun: (n, page) => note(`Run ${n}: ${page}`),
        onStop: () => cancelled.abort(),
        onLost: (reason) => {
          lost = true;
          note(`This simulation is not kept as a run: ${reason} It goes on.`);
        },
      })
    : null;
  let interrupts = 0;
  const interrupt = (): void => {
    // The second Ctrl-C does not wait for anything.
    if (++interrupts > 1) process.exit(EXIT_INTERRUPTED);
    cancelled.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  let fabric: SimulatedFabric | null = null;
  try {
    const done = await simulate(given.scenario, {
      // The run keeps how much slower than alone its flows were.
      flows: flows || registration !== null,
      capture: captureOptions(options),
      signal: cancelled.signal,
      onFabric: (built) => {
        fabric = built;
        const scenario = given.scenario;
        registration?.begin(
          { name: nameOf(given), parameters: parametersOf(given, changes), scenario },
          built,
        );
      },
      onSample: (sample, line) => {
        out?.write(line);
        registration?.sample(sample);
      },
      onProgress: (told) => {
        const so = progress.take(told);
        registration?.progress(so);
      },
    });
    progress.clear();
    const fault = faultOf(done.result);
    const kept = (await registration?.end(done, fault?.info ?? null)) ?? null;
    const printed = flows ? done : { ...done, flows: [] };
    if (json) printJson(printed);
    else printResult(printed);
    if (kept) sayWhatIsMissing(given);
    else if (!registration && options.agent && !lost && !json)
      say('No agent is running, so this run is not kept. Start one with `verbslab up` to keep runs.');
    if (fault) throw fault;
  } catch (error) {
    progress.clear();
    const info = toErrorInfo(error);
    const kept = (await registration?.end(null, info)) ?? null;
    if (info.code !== 'CANCELLED') throw error;
    cancel(progress.us, kept, json ? fabric : null);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    out?.close();
  }
}

function sayWhatIsMissing({ scenario }: GivenScenario): void {
  const { scenario: kept, bytes } = keptScenario(scenario);
  if (kept === null)
    say(
      `The run is without its scenario, which has ${formatBytes(bytes)}: a run keeps at most ${formatBytes(MOST_SCENARIO_TEXT)}. Keep the file to run it again.`,
    );
}

/** Says how far a cancelled simulation came. `fabric`: for a reader of JSON. */
function cancel(us: number, kept: RunRecord | null, fabric: SimulatedFabric | null): void {
  process.exitCode = EXIT_INTERRUPTED;
  if (fabric) {
    const nothing: Omit<Simulated, 'samples' | 'result'> = { scenario: fabric, flows: [], mechanisms: [] };
    printJson({ ...nothing, result: null });
  }
  const where = kept ? ` Run ${kept.number} keeps what was simulated until then.` : '';
  say(`Cancelled after ${number(us)} µs of virtual time.${where}`);
}
