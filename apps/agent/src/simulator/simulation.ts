import {
  MOST_SCENARIO_TEXT,
  zSimulatedPart,
  type Scenario,
  type SimulatedFabric,
  type Simulated,
  type SimulatedSample,
  type SimulatedPart,
  type SimulateOptions,
  type Simulation,
} from '@verbslab/protocol';
import { SeriesCollector } from './series.js';
import { faultOf, refused, simulate } from './simulator.js';

/** Most samples that a lab gets: they stay in memory until it has ended. */
const MOST_SAMPLES = 100_000;
/** Least time between two reports of the virtual time, ms. */
const TELL_MS = 100;

/** The value that a share of the sorted values does not exceed. `values`: not empty. */
function quantile(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)]!;
}

/** The scenario as a run keeps it, and the bytes of its text. */
export function keptScenario(scenario: Scenario): { scenario: Simulation['scenario']; bytes: number } {
  const text = JSON.stringify(scenario);
  const bytes = Buffer.byteLength(text);
  return {
    scenario: bytes > MOST_SCENARIO_TEXT ? null : (JSON.parse(text) as Simulation['scenario']),
    bytes,
  };
}

/** What a run keeps of a simulation, beside its scenario and without the rest of the simulator's lines. `done`: null if it has not come to its end. */
export function simulatedPart(
  fabric: SimulatedFabric | null,
  series: SeriesCollector,
  done: Omit<Simulated, 'samples'> | null,
): SimulatedPart {
  const slowdowns = (done?.flows ?? [])
    .flatMap(({ slowdown }) => (slowdown === undefined ? [] : [slowdown]))
    .sort((a, b) => a - b);
  return zSimulatedPart.parse({
    fabric,
    series: series.series(),
    mechanisms: done?.mechanisms ?? [],
    slowdown:
      slowdowns.length > 0
        ? { flows: slowdowns.length, p50: quantile(slowdowns, 0.5), p99: quantile(slowdowns, 0.99) }
        : null,
    result: done?.result ?? null,
  } satisfies SimulatedPart);
}

/** The simulations of a run. */
export class Simulations {
  readonly #signal: AbortSignal;
  readonly #record: (simulation: Simulation) => void;
  readonly #running = new Set<Promise<unknown>>();

  /** @param record called with each simulation when it has ended, also when the signal ended it */
  constructor(signal: AbortSignal, record: (simulation: Simulation) => void) {
    this.#signal = signal;
    this.#record = record;
  }

  /** Implements `simulate` of a lab's context. */
  run(scenario: Scenario, options: SimulateOptions = {}): Promise<Simulated> {
    const running = this.#run(scenario, options);
    const settled = running.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(settled);
    void settled.then(() => this.#running.delete(settled));
    return running;
  }

  async #run(scenario: Scenario, { title = '', onTime }: SimulateOptions): Promise<Simulated> {
    const samples: SimulatedSample[] = [];
    const series = new SeriesCollector();
    let tell = 0;
    let fabric: SimulatedFabric | null = null;
    let done: Omit<Simulated, 'samples'> | null = null;
    try {
      done = await simulate(scenario, {
        flows: true,
        signal: this.#signal,
        onFabric: (built) => (fabric = built),
        onSample: (sample) => {
          if (samples.length >= MOST_SAMPLES)
            throw refused(`it takes more than ${MOST_SAMPLES} samples: raise sample_us`);
          samples.push(sample);
          series.take(sample);
          const now = performance.now();
          if (!onTime || now < tell) return;
          tell = now + TELL_MS;
          onTime(sample.us);
        },
      });
      const fault = faultOf(done.result);
      if (fault) throw fault;
      return { ...done, samples };
    } finally {
      // A scenario that was refused has no fabric.
      if (fabric)
        this.#record({
          title,
          scenario: keptScenario(scenario).scenario,
          ...simulatedPart(fabric, series, done),
        });
    }
  }

  /** Resolves when no simulator is running. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }
}
