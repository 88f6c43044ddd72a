/** Runs of the fabric simulator: the process, its lines, and its end. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  AppError,
  type Mechanism,
  type Scenario,
  type Simulated,
  type SimulatedCapture,
  type SimulatedFabric,
  type SimulatedFlow,
  type SimulatedSample,
  type SimulationResult,
} from '@verbslab/protocol';
import { vlsimPath } from '@verbslab/native';

type Line =
  | ({ type: 'scenario' } & SimulatedFabric)
  | ({ type: 'sample' } & SimulatedSample)
  | ({ type: 'progress' } & SimulatorProgress)
  | ({ type: 'flow' } & SimulatedFlow)
  | ({ type: 'mechanism' } & Mechanism)
  | ({ type: 'result' } & SimulationResult)
  | ({ type: 'pcap' } & SimulatedCapture);

/** How far the simulator is. */
export interface SimulatorProgress {
  /** Virtual time. */
  us: number;
  /** Events of packets since it began. */
  packet_events: number;
}

export interface SimulatorOptions {
  /** A line for each flow. */
  flows: boolean;
  /** Options of vlsim about a capture. */
  capture?: readonly string[];
  /** Ends the simulator. */
  signal?: AbortSignal;
  /** Called when the fabric is built. */
  onFabric?: (fabric: SimulatedFabric) => void;
  /** Called with each sample as it comes, and the line that it came in. */
  onSample: (sample: SimulatedSample, line: string) => void;
  /** Called about four times per second. */
  onProgress?: (progress: SimulatorProgress) => void;
}

export const refused = (detail: string): AppError => new AppError('SCENARIO_REFUSED', { detail });

/** JSON Schema of a scenario, from the simulator's own table. */
export const scenarioSchema = (): object =>
  JSON.parse(execFileSync(vlsimPath, ['--schema'], { encoding: 'utf8' })) as object;

/** Exit statuses of vlsim with a result: its figures are void, or end early. */
const WITH_RESULT: readonly (number | null)[] = [0, 3, 4];

/** Why the result of a simulation is not that of the whole scenario; null if it is. The result is there all the same. */
export function faultOf({ us, error, laws }: SimulationResult): AppError | null {
  if (laws && laws.broken.length > 0)
    return new AppError('SIMULATION_BROKEN', { detail: laws.broken.join(' ') });
  return error === undefined ? null : new AppError('SIMULATION_ENDED', { us, detail: error });
}

/** Simulators that this process has started. None outlives it. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/**
 * Runs a scenario to its end. Throws AppError SCENARIO_REFUSED with the simulator's own sentence, and CANCELLED if the
 * signal was aborted; the process is gone then. `faultOf` judges the result.
 */
export async function simulate(
  scenario: Scenario,
  { flows, capture = [], signal, onFabric, onSample, onProgress }: SimulatorOptions,
): Promise<Omit<Simulated, 'samples'>> {
  if (signal?.aborted) throw new AppError('CANCELLED');
  const told = [...(flows ? ['--flows'] : []), ...(onProgress ? ['--progress'] : [])];
  // In a process group of its own: a Ctrl-C at the terminal must not end it before the run is cancelled.
  const child = spawn(vlsimPath, [...told, ...capture], { stdio: 'pipe', detached: true });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  ended.catch(() => undefined);
  const stop = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  running.add(child);
  try {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    // A scenario that is refused is not read to its end.
    child.stdin.on('error', () => undefined).end(JSON.stringify(scenario));
    const others: Line[] = [];
    for await (const text of createInterface({ input: child.stdout })) {
      // The last line of a simulator that was stopped may be incomplete.
      if (signal?.aborted) continue;
      const line = JSON.parse(text) as Line;
      if (line.type === 'sample') onSample(line, text);
      else if (line.type === 'progress') onProgress?.(line);
      else others.push(line);
      if (line.type === 'scenario') onFabric?.(line);
    }
    const code = await ended;
    if (signal?.aborted) throw new AppError('CANCELLED');
    const of = <T extends Line['type']>(type: T) =>
      others.filter((one): one is Extract<Line, { type: T }> => one.type === type);
    const [result] = of('result');
    if (!result || !WITH_RESULT.includes(code))
      throw refused(
        said
          .trim()
          .replace(/^vlsim: /, '')
          .replace(/\.$/, '') || `the simulator ended with ${code ?? 'a signal'}`,
      );
    const [pcap] = of('pcap');
    return {
      scenario: of('scenario')[0]!,
      flows: of('flow'),
      mechanisms: of('mechanism'),
      result,
      ...(pcap && { pcap }),
    };
  } finally {
    signal?.removeEventListener('abort', stop);
    running.delete(child);
    // An error in a callback must not leave a simulator behind.
    stop();
    child.stdout.resume();
    await ended.catch(() => undefined);
  }
}
