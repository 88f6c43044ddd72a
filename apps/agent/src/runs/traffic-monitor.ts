import { linksBetween, rateBetween, type EndTraffic, type RunTraffic } from '@verbslab/protocol';
import { answers, perClient, type Subsystem } from '../base/subsystem.js';
import type { ActiveRun, CounterReading } from './active-run.js';

/** Interval between two readings, ms. */
const INTERVAL_MS = 500;
/**
 * Time without a report after which a process has ended or is stopped, s. Processes of a program report once per
 * second.
 */
const SILENT_S = 3;

type Hearer = (runs: RunTraffic[]) => void;

interface Latest {
  reading: CounterReading;
  /** Time when the reading was new, s. */
  heard: number;
  end: EndTraffic;
}

interface Followed {
  traffic: RunTraffic;
  /** Latest reading of each endpoint. */
  latest: Map<string, Latest>;
  /** True while a reading is in progress. */
  asked: boolean;
}

/**
 * Reads the counters of the devices in runs in progress while a client watches, and reports how fast they grow. The
 * readings are not part of a run.
 */
export class TrafficMonitor implements Subsystem {
  readonly #watching = perClient<{ end: () => void }>(
    () => ({ end: () => undefined }),
    (watching) => watching.end(),
  );
  readonly messages = answers({
    'traffic.watch': ({ on }, client) => {
      const watching = this.#watching(client);
      watching.end();
      watching.end = on
        ? this.watch((runs) => client.send({ type: 'traffic.changed', runs }))
        : () => undefined;
      return { on };
    },
  });
  readonly #running: () => readonly ActiveRun[];
  readonly #hearers = new Set<Hearer>();
  readonly #followed = new Map<string, Followed>();
  #timer: NodeJS.Timeout | undefined;
  #told = 0;

  constructor(running: () => readonly ActiveRun[]) {
    this.#running = running;
  }

  /** Starts to report to `hearer`. Returns a function that stops the reports. */
  watch(hearer: Hearer): () => void {
    this.#hearers.add(hearer);
    this.#timer ??= setInterval(() => this.#tick(), INTERVAL_MS);
    this.#timer.unref();
    return () => {
      this.#hearers.delete(hearer);
      if (this.#hearers.size === 0) this.close();
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#followed.clear();
  }

  #tick(): void {
    const running = this.#running();
    for (const id of this.#followed.keys()) {
      if (!running.some((run) => run.id === id)) this.#followed.delete(id);
    }
    const runs = [...this.#followed.values()].map(({ traffic }) => traffic);
    // An empty report ends the display; further empty ones would be redundant.
    if (runs.length > 0 || this.#told > 0) for (const hearer of this.#hearers) hearer(runs);
    this.#told = runs.length;
    for (const run of running) void this.#read(run);
  }

  async #read(run: ActiveRun): Promise<void> {
    const { id, record } = run;
    const traffic = { run: record.number, runId: id, ends: [] };
    const followed: Followed = this.#followed.get(id) ?? { traffic, latest: new Map(), asked: false };
    this.#followed.set(id, followed);
    if (followed.asked) return;
    followed.asked = true;
    const readings = await run.readCounters();
    followed.asked = false;
    const heard = performance.now() / 1000;
    const ends = readings.map((now) => latestOf(followed.latest.get(now.endpoint), now, heard));
    followed.latest = new Map(ends.map((one) => [one.end.endpoint, one]));
    followed.traffic = { ...traffic, ends: ends.map(({ end }) => end) };
  }
}

function latestOf(before: Latest | undefined, now: CounterReading, heard: number): Latest {
  const { endpoint, host, device, providerClass } = now;
  const silent = { endpoint, host, device, providerClass, rate: null, links: [] };
  if (before?.reading.at === now.at) {
    return heard - before.heard > SILENT_S ? { ...before, end: silent } : before;
  }
  const [from, to] = [before?.reading.values, now.values];
  const end =
    before && from && to
      ? {
          ...silent,
          rate: rateBetween(from, to, now.at - before.reading.at),
          links: linksBetween(from, to),
        }
      : silent;
  return { reading: now, heard, end };
}
