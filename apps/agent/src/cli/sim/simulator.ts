/** Runs of the fabric simulator: the process, its lines, and its end. */
import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { vlsimPath } from '@verbslab/native';
import { refused, type Scenario } from './scenarios.js';

interface Sample {
  type: 'sample';
  /** Virtual time, µs. */
  us: number;
}
export interface Mechanism {
  type: 'mechanism';
  name: string;
  fired: number;
  /** The mechanism in a sentence. */
  says: string;
}
/** Counts and times of a whole run; docs/simulator.md has all. Times in µs, sizes in bytes. */
export interface Result {
  type: 'result';
  us: number;
  stopped_by?: string;
  goodput_gbps: number;
  /** Jain’s index of the flows’ rates. Absent if none got through. */
  fairness?: number;
  queue_max_bytes: number;
  flows_finished: number;
  flows_failed: number;
  flows_unfinished: number;
  flow_time_us?: Record<'mean' | 'p50' | 'p95' | 'p99' | 'max', number>;
  marked: number;
  cnps: number;
  pauses: number;
  timeouts: number;
  naks: number;
  retransmitted: number;
  drops: Record<string, number>;
  trace: string;
}
/** What a capture has. */
interface Pcap {
  type: 'pcap';
  packets: number;
  /** Packets beyond the limit of its size. */
  left_out: number;
  says: string;
}
type Line = Sample | Mechanism | Result | Pcap | { type: 'scenario' | 'flow' };

export interface Simulated {
  scenario: object;
  flows: object[];
  mechanisms: Mechanism[];
  result: Result;
  pcap?: Pcap;
}

/** JSON Schema of a scenario, from the simulator's own table. */
export const scenarioSchema = (): object =>
  JSON.parse(execFileSync(vlsimPath, ['--schema'], { encoding: 'utf8' })) as object;

/**
 * Runs a scenario to its end. `onSample` gets each sample as it comes, and the line that it came in. Throws AppError SCENARIO_REFUSED
 * with the simulator's own sentence. `capture`: options of vlsim about a capture.
 */
export async function simulate(
  scenario: Scenario,
  {
    flows,
    capture = [],
    onSample,
  }: { flows: boolean; capture?: readonly string[]; onSample: (sample: Sample, line: string) => void },
): Promise<Simulated> {
  const child = spawn(vlsimPath, [...(flows ? ['--flows'] : []), ...capture], { stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  // A scenario that is refused is not read to its end.
  child.stdin.on('error', () => undefined).end(JSON.stringify(scenario));
  const others: Line[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    const line = JSON.parse(text) as Line;
    if (line.type === 'sample') onSample(line, text);
    else others.push(line);
  }
  const code = await ended;
  const of = <T extends Line['type']>(type: T) =>
    others.filter((one): one is Extract<Line, { type: T }> => one.type === type);
  const [result] = of('result');
  if (code !== 0 || !result)
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
}
