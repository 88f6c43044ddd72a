import {
  MOST_SERIES_LINES,
  MOST_SERIES_POINTS,
  SAMPLED_EVENTS,
  type FabricSeries,
  type SampledEvent,
  type SimulatedSample,
} from '@verbslab/protocol';

const eventsOf = (count: (name: SampledEvent) => number): Record<SampledEvent, number> =>
  Object.fromEntries(SAMPLED_EVENTS.map((name) => [name, count(name)])) as Record<SampledEvent, number>;

/** Samples in a row, at least one. Queues by switch, port and class. */
interface Point {
  us: number;
  /** Length of the interval, µs. */
  over: number;
  received: readonly number[];
  queues: ReadonlyMap<string, number>;
  paused: number;
  events: Readonly<Record<SampledEvent, number>>;
}

/** The mean of rates over two intervals in a row, the highest of what is a depth, and the sum of what is counted. */
function merged(a: Point, b: Point): Point {
  const over = a.over + b.over;
  const queues = new Map(a.queues);
  for (const [queue, bytes] of b.queues) queues.set(queue, Math.max(bytes, queues.get(queue) ?? 0));
  return {
    us: b.us,
    over,
    received: b.received.map((rate, i) =>
      over > 0 ? ((a.received[i] ?? 0) * a.over + rate * b.over) / over : rate,
    ),
    queues,
    paused: Math.max(a.paused, b.paused),
    events: eventsOf((name) => a.events[name] + b.events[name]),
  };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** Splits by what counts, the highest first: the lines of a chart, and the rest. */
function fullest<T>(all: readonly T[], weight: (one: T) => number): [T[], T[]] {
  const order = all
    .map((one) => ({ one, weight: weight(one) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ one }) => one);
  return [order.slice(0, MOST_SERIES_LINES), order.slice(MOST_SERIES_LINES)];
}

/**
 * Collects the samples of a simulation in bounded memory. Whenever there are too many points, two in a row become one:
 * a long run has as many points as a short one.
 */
export class SeriesCollector {
  #points: Point[] = [];
  /** Samples per point, and the point that has fewer so far. */
  #stride = 1;
  #open: Point | null = null;
  #inOpen = 0;
  #samples = 0;
  #last = 0;

  take(sample: SimulatedSample): void {
    const { us, received_gbps, queues, paused } = sample;
    const point: Point = {
      us,
      over: us - this.#last,
      received: received_gbps,
      queues: new Map(queues.map(([owner, port, group, bytes]) => [`${owner} ${port} ${group}`, bytes])),
      paused: paused.length,
      events: eventsOf((name) => sample[name]),
    };
    this.#last = us;
    this.#samples++;
    this.#open = this.#open ? merged(this.#open, point) : point;
    if (++this.#inOpen < this.#stride) return;
    this.#points.push(this.#open);
    this.#open = null;
    this.#inOpen = 0;
    if (this.#points.length >= MOST_SERIES_POINTS) this.#halve();
  }

  #halve(): void {
    this.#points = this.#points.flatMap((one, i, all) =>
      i % 2 === 1 ? [] : [i + 1 < all.length ? merged(one, all[i + 1]!) : one],
    );
    this.#stride *= 2;
  }

  /** Returns the series so far; null without samples. */
  series(): FabricSeries | null {
    const points = this.#open ? [...this.#points, this.#open] : this.#points;
    if (points.length === 0) return null;
    const hosts = (points[0]?.received ?? []).map((_, host) => host);
    const [lines, otherHosts] = fullest(hosts, (host) =>
      sum(points.map(({ received, over }) => (received[host] ?? 0) * over)),
    );
    const names = [...new Set(points.flatMap(({ queues }) => [...queues.keys()]))];
    const [deepest, otherQueues] = fullest(names, (name) =>
      Math.max(...points.map(({ queues }) => queues.get(name) ?? 0)),
    );
    return {
      samples: this.#samples,
      us: points.map(({ us }) => us),
      received: lines.map((host) => ({
        host,
        gbps: points.map(({ received }) => rounded(received[host] ?? 0)),
      })),
      ...(otherHosts.length > 0
        ? {
            receivedByOthers: {
              hosts: otherHosts.length,
              gbps: points.map(({ received }) => rounded(sum(otherHosts.map((host) => received[host] ?? 0)))),
            },
          }
        : {}),
      queues: deepest.map((name) => {
        const [owner, port, group] = name.split(' ').map(Number);
        return {
          ...{ switch: owner!, port: port!, class: group! },
          bytes: points.map(({ queues }) => queues.get(name) ?? 0),
        };
      }),
      ...(otherQueues.length > 0
        ? {
            otherQueues: {
              queues: otherQueues.length,
              bytes: points.map(({ queues }) => sum(otherQueues.map((name) => queues.get(name) ?? 0))),
            },
          }
        : {}),
      paused: points.map(({ paused }) => paused),
      events: Object.fromEntries(
        SAMPLED_EVENTS.filter((name) => points.some(({ events }) => events[name] > 0)).map((name) => [
          name,
          points.map(({ events }) => events[name]),
        ]),
      ),
    };
  }
}
