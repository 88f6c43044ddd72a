import { named, type Thread } from './trace-shapes.js';
import { qpnText } from '../qpn.js';

/** Rows of a process. */
const ROWS = { steps: 'steps', errors: 'errors', calls: 'verbs calls', events: 'events' } as const;
/** Sort order of the rows. Rows of QPs are between the calls and the events. */
const PLACES = { steps: 0, errors: 1, calls: 2, events: 0x7fff_ffff } as const;

/** Rows of a QP. */
const QP_ROWS = { states: '', requests: ' requests', completed: ' post to completion' } as const;
const QP_ROW_NAMES = Object.keys(QP_ROWS) as (keyof typeof QP_ROWS)[];

const qpTitle = (qpn: number): string => `QP ${qpnText(qpn)}`;

/**
 * Assigns process numbers to endpoints and thread numbers to their rows, and names each at its first use. All numbers
 * differ: some readers find a thread by its number alone.
 */
export class TraceLanes {
  #numbers = 0;
  readonly #pids = new Map<string, number>();
  readonly #threads = new Map<string, Thread>();
  /** The QPs of each process, in the order of their first use. */
  readonly #qps = new Map<number, Map<number, number>>();
  /** End of the last slice in each lane of a row. */
  readonly #ends = new Map<string, number[]>();
  #news: object[] = [];

  /** Returns the name events since the last call. */
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

  /** Adds a description to the name of an endpoint. */
  describe(endpoint: string | undefined, what: string): void {
    this.#name(this.process(endpoint), `${endpoint ?? 'run'} (${what})`);
  }

  /** The row for instants. */
  row(endpoint: string | undefined, row: keyof typeof ROWS): Thread {
    return this.#thread(this.process(endpoint), row, ROWS[row], PLACES[row]);
  }

  calls(endpoint: string | undefined, from: number, to: number): Thread {
    return this.#lane(this.process(endpoint), 'calls', ROWS.calls, PLACES.calls, from, to);
  }

  /** The row for state changes, completions and asynchronous events of a QP. */
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

  /**
   * A free lane of a row for a time range. Slices of a thread must not overlap, so a row has as many lanes as it needs.
   */
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

  /** Sort order of a QP's row. All rows of a QP are together. */
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
