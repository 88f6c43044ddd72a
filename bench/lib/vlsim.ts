// Runs of the fabric simulator.
import { spawn } from 'node:child_process';
import { vlsimPath } from '@verbslab/native';
import { collect } from './process.js';

export interface SimulatorRun {
  packetEvents: number;
  cpuSeconds: number;
  memoryMib: number;
  /** Most events that waited at once. */
  waiting: number;
  /** Hash of the run: equal scenarios have equal ones. */
  trace: string;
}

interface Line {
  type: string;
  packet_events: number;
  trace: string;
  cpu_seconds: number;
  memory_kib: number;
  events_waiting_max: number;
}

/** Runs a scenario (docs/simulator.md). */
export async function vlsim(scenario: object): Promise<SimulatorRun> {
  const child = spawn(vlsimPath, ['--time'], { stdio: 'pipe' });
  child.stdin.end(JSON.stringify(scenario));
  const { stdout } = await collect(child, 'vlsim --time');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const of = (type: string): Line => {
    const line = lines.find((one) => one.type === type);
    if (!line) throw new Error(`vlsim wrote no line "${type}"`);
    return line;
  };
  const result = of('result');
  const time = of('time');
  return {
    packetEvents: result.packet_events,
    cpuSeconds: time.cpu_seconds,
    memoryMib: time.memory_kib / 1024,
    waiting: time.events_waiting_max,
    trace: result.trace,
  };
}
