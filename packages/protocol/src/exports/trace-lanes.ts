import type { RunEventOf } from '../events.js';

/** Thread numbers of a process in the trace. Those of QPs follow as they come. */
export const THREADS = { calls: 1, events: 2, steps: 3 } as const;
const FIRST_LANE = 16;

export type Thread = [pid: number, tid: number];
/** A metadata event: names a process or a thread. */
const named = (name: string, pid: number, tid: number, title: string): object => ({
  ph: 'M',
  name,
  pid,
  tid,
  args: { name: title },
});

/** Gives endpoints process numbers and QPs thread numbers, and names each when it is first used. */
export class TraceLanes {
  readonly #pids = new Map<string, number>();
  readonly #tids = new Map<string, number>();
  /** End of the last work request of each lane, by process and QP. */
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
    const pid = this.#pids.size + 1;
    this.#pids.set(title, pid);
    this.#news.push(named('process_name', pid, 0, title));
    return pid;
  }

  thread(endpoint: string | undefined, key: keyof typeof THREADS, title: string): Thread {
    return this.#thread(this.process(endpoint), key, title, THREADS[key]);
  }

  /** State changes and completions of a QP. */
  qp(endpoint: string | undefined, qpn: number): Thread {
    return this.#thread(this.process(endpoint), `qp ${qpn}`, `QP 0x${qpn.toString(16)}`);
  }

  /** A row for a work request. Slices of one thread must not overlap, so each QP has as many rows as it needs. */
  request({ endpoint, qpn }: RunEventOf<'wr'>, from: number, to: number): Thread {
    const pid = this.process(endpoint);
    const key = `${pid} ${qpn}`;
    const ends = this.#ends.get(key) ?? [];
    this.#ends.set(key, ends);
    const free = ends.findIndex((end) => end <= from);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = to;
    const title = `QP 0x${qpn.toString(16)} requests${lane === 0 ? '' : ` (${lane + 1})`}`;
    return this.#thread(pid, `wr ${qpn} ${lane}`, title);
  }

  #thread(pid: number, key: string, title: string, fixed?: number): Thread {
    const known = this.#tids.get(`${pid} ${key}`);
    if (known !== undefined) return [pid, known];
    const tid = fixed ?? FIRST_LANE + this.#tids.size;
    this.#tids.set(`${pid} ${key}`, tid);
    this.#news.push(named('thread_name', pid, tid, title));
    return [pid, tid];
  }
}
