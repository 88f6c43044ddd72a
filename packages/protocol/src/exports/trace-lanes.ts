import { named, type Thread } from './trace-shapes.js';
import { qpnText } from '../qpn.js';

/** Rows of a process. */
const ROWS = { steps: 'steps', errors: 'errors', calls: 'verbs calls', events: 'events' } as const;
/** Where they stand. Those of its QPs are between the calls and the events. */
const PLACES = { steps: 0, errors: 1, calls: 2, events: 0x7fff_ffff } as const;

/** Rows of a QP. */
const QP_ROWS = { states: '', requests: ' requests', completed: ' post to completion' } as const;
const QP_ROW_NAMES = Object.keys(QP_ROWS) as (keyof typeof QP_ROWS)[];

const qpTitle = (qpn: number): string => `QP ${qpnText(qpn)}`;

/**
 * Gives endpoints process numbers and their rows thread numbers, and names each when it is first used. All numbers are
 * different: some readers look for a thread by its number alone.
 */
export class TraceLanes {
  #numbers = 0;
  readonly #pids = new Map<string, number>();
  readonly #threads = new Map<string, Thread>();
  /** The QPs of each process, in the order in which they came. */
  readonly #qps = new Map<number, Map<number, number>>();
  /** When the last slice of each lane of a row ends. */
  readonly #ends = new Map<string, number[]>();
  #news: object[] = [];

  /** What has been named since the last call. */
  take(): object[] {
    const news = this.#news;
    this.#news = [];
    return news;
  }

  process(endpoint: string | undefined): number {
    const title = endpoint ?? 'run';
    const known = this.#pids.get(title);
    if (known !== undefined) return known;
    const pid = ++this.#numbers;
    this.#pids.set(title, pid);
    this.#qps.set(pid, new Map());
    this.#name(pid, title);
    return pid;
  }

  /** What is known of an endpoint beyond its name. */
  describe(endpoint: string | undefined, what: string): void {
    this.#name(this.process(endpoint), `${endpoint ?? 'run'} (${what})`);
  }

  /** For what takes no time. */
  row(endpoint: string | undefined, row: keyof typeof ROWS): Thread {
    return this.#thread(this.process(endpoint), row, ROWS[row], PLACES[row]);
  }

  calls(endpoint: string | undefined, from: number, to: number): Thread {
    return this.#lane(this.process(endpoint), 'calls', ROWS.calls, PLACES.calls, from, to);
  }

  /** State changes, completions and asynchronous events of a QP. */
  qp(endpoint: string | undefined, qpn: number): Thread {
    const pid = this.process(endpoint);
    return this.#thread(pid, `states ${qpn}`, qpTitle(qpn), this.#place(pid, qpn, 'states'));
  }

  requests(
    endpoint: string | undefined,
    qpn: number,
    row: 'requests' | 'completed',
    from: number,
    to: number,
  ): Thread {
    const pid = this.process(endpoint);
    const title = `${qpTitle(qpn)}${QP_ROWS[row]}`;
    return this.#lane(pid, `${row} ${qpn}`, title, this.#place(pid, qpn, row), from, to);
  }

  /** A row as it is free from one time to another: slices of one thread must not overlap, so a row has as many as it needs. */
  #lane(pid: number, row: string, title: string, place: number, from: number, to: number): Thread {
    const key = `${pid} ${row}`;
    const ends = this.#ends.get(key) ?? [];
    this.#ends.set(key, ends);
    const free = ends.findIndex((end) => end <= from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = to;
    return lane === 0
      ? this.#thread(pid, row, title, place)
      : this.#thread(pid, `${row} ${lane}`, `${title} (${lane + 1})`, place);
  }

  /** Where a row of a QP stands: all rows of one QP together. */
  #place(pid: number, qpn: number, row: keyof typeof QP_ROWS): number {
    const qps = this.#qps.get(pid)!;
    const index = qps.get(qpn) ?? qps.size;
    qps.set(qpn, index);
    return PLACES.calls + 1 + index * QP_ROW_NAMES.length + QP_ROW_NAMES.indexOf(row);
  }

  #thread(pid: number, row: string, title: string, place: number): Thread {
    const key = `${pid} ${row}`;
    const known = this.#threads.get(key);
    if (known) return known;
    const thread: Thread = [pid, ++this.#numbers];
    this.#threads.set(key, thread);
    this.#news.push(
      named('thread_name', thread, { name: title }),
      named('thread_sort_index', thread, { sort_index: place }),
    );
    return thread;
  }

  #name(pid: number, name: string): void {
    this.#news.push(named('process_name', [pid, pid], { name }));
  }
}
