/**
 * A page in a real Chromium, controlled over the DevTools pipe with as little of the protocol as possible: the page's
 * network is not watched, since that alone makes a WebSocket several times slower.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { launchOptionsOfUsers } from '../../e2e/lib/chromium.js';
import { ended } from './process.js';

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}

interface Pending {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** An event of a trace, in the Trace Event Format: times in microseconds. */
export interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Duration, and CPU time of the thread in it. */
  dur?: number;
  tdur?: number;
  args: Record<string, unknown>;
}

/** Clock ticks of /proc/PID/stat per second; 100 on every Linux that Node runs on. */
const TICKS = 100;

export class Page {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #session: string | undefined;
  #said = '';
  #trace: TraceEvent[] | null = null;
  #traced: () => void = () => undefined;

  private constructor(width: number, height: number) {
    this.#profile = mkdtempSync(join(tmpdir(), 'verbslab-chromium-'));
    const { executablePath, args } = launchOptionsOfUsers;
    if (!executablePath) throw new Error('there is no Chromium: install it, or name it in CHROMIUM_PATH');
    this.#child = spawn(
      executablePath,
      [
        '--headless=new',
        '--remote-debugging-pipe',
        `--user-data-dir=${this.#profile}`,
        `--window-size=${width},${height}`,
        '--hide-scrollbars',
        '--disable-gpu',
        ...args,
        'about:blank',
      ],
      { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
    );
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#said += chunk.toString()));
    this.#read(this.#child.stdio[4] as Readable);
    this.#child.once('close', (code) => {
      const error = new Error(`Chromium ended with ${code}:\n${this.#said}`);
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
    });
  }

  static async open(width = 1440, height = 900): Promise<Page> {
    const page = new Page(width, height);
    try {
      const { targetInfos } = await page.#send<{ targetInfos: { targetId: string; type: string }[] }>(
        'Target.getTargets',
      );
      const target = targetInfos.find(({ type }) => type === 'page');
      const { targetId } =
        target ?? (await page.#send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' }));
      const { sessionId } = await page.#send<{ sessionId: string }>('Target.attachToTarget', {
        targetId,
        flatten: true,
      });
      page.#session = sessionId;
      return page;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  #read(pipe: Readable): void {
    let rest = '';
    pipe.setEncoding('utf8');
    pipe.on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\0');
      rest = parts.pop() ?? '';
      for (const part of parts) this.#onMessage(JSON.parse(part) as Message);
    });
  }

  #onMessage({ id, method, params, result, error }: Message): void {
    if (method === 'Tracing.dataCollected')
      for (const event of (params as { value: TraceEvent[] }).value) this.#trace?.push(event);
    else if (method === 'Tracing.tracingComplete') this.#traced();
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || !pending) return;
    this.#pending.delete(id);
    if (error) pending.reject(new Error(error.message));
    else pending.resolve(result as never);
  }

  #send<R>(method: string, params: object = {}): Promise<R> {
    const id = this.#nextId++;
    const sessionId = this.#session;
    return new Promise<R>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      const pipe = this.#child.stdio[3] as Writable;
      pipe.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    });
  }

  async goto(url: string): Promise<void> {
    const { errorText } = await this.#send<{ errorText?: string }>('Page.navigate', { url });
    if (errorText) throw new Error(`${url}: ${errorText}`);
  }

  /** Value of an expression in the page; promises are waited for. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send<{
      result: { value: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an element is there; it is looked for once a frame. */
  async waitFor(selector: string, timeoutMs = 15_000): Promise<void> {
    const until = performance.now() + timeoutMs;
    const look = `new Promise((done) => requestAnimationFrame(() => done(document.querySelector(${JSON.stringify(selector)}) !== null)))`;
    for (;;) {
      // A navigation on its way throws away what was asked of the old page.
      const found = await this.evaluate<boolean>(look).catch(() => false);
      if (found) return;
      if (performance.now() > until) throw new Error(`the page shows no ${selector} after ${timeoutMs} ms`);
    }
  }

  async startProfile(): Promise<void> {
    await this.#send('Profiler.enable');
    await this.#send('Profiler.setSamplingInterval', { interval: 250 });
    await this.#send('Profiler.start');
  }

  /** The profile of the page's main thread since `startProfile`, as JSON that DevTools opens (.cpuprofile). */
  async stopProfile(): Promise<string> {
    const { profile } = await this.#send<{ profile: object }>('Profiler.stop');
    return JSON.stringify(profile);
  }

  async startTrace(categories: string): Promise<void> {
    this.#trace = [];
    await this.#send('Tracing.start', { categories, transferMode: 'ReportEvents' });
  }

  async stopTrace(): Promise<TraceEvent[]> {
    const complete = new Promise<void>((resolve) => (this.#traced = resolve));
    await this.#send('Tracing.end');
    await complete;
    const events = this.#trace ?? [];
    this.#trace = null;
    return events;
  }

  /** Chooses a file in an input of the page. */
  async setFile(selector: string, path: string): Promise<void> {
    const { root } = await this.#send<{ root: { nodeId: number } }>('DOM.getDocument');
    const { nodeId } = await this.#send<{ nodeId: number }>('DOM.querySelector', {
      nodeId: root.nodeId,
      selector,
    });
    await this.#send('DOM.setFileInputFiles', { nodeId, files: [path] });
  }

  /** A mouse event as from the device itself. `shift`: with that key held. */
  async mouse(
    type: 'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel',
    x: number,
    y: number,
    more: { deltaX?: number; deltaY?: number; button?: 'left'; buttons?: number; shift?: boolean } = {},
  ): Promise<void> {
    const { shift, ...rest } = more;
    const wheel = type === 'mouseWheel' ? { deltaX: 0, deltaY: 0 } : {};
    const click = type === 'mousePressed' || type === 'mouseReleased' ? { clickCount: 1 } : {};
    await this.#send('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      ...wheel,
      ...click,
      ...rest,
      modifiers: shift ? 8 : 0,
    });
  }

  /** Presses and releases a key that types a letter, or a named one. */
  async key(key: string): Promise<void> {
    const letter = key.length === 1 ? { code: `Key${key.toUpperCase()}`, text: key } : { code: key };
    await this.#send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...letter });
    await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: letter.code });
  }

  async collectGarbage(): Promise<void> {
    await this.#send('HeapProfiler.collectGarbage');
  }

  /** Bytes of the page's JavaScript heap, and of its typed arrays. */
  async heapBytes(): Promise<{ objects: number; arrays: number }> {
    const { usedSize, backingStorageSize } = await this.#send<{
      usedSize: number;
      backingStorageSize: number;
    }>('Runtime.getHeapUsage');
    return { objects: usedSize, arrays: backingStorageSize };
  }

  async screenshot(): Promise<Buffer> {
    const { data } = await this.#send<{ data: string }>('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data, 'base64');
  }

  /** CPU seconds that all processes of this browser have used. */
  cpuSeconds(): number {
    return this.#processes().reduce((sum, { ticks }) => sum + ticks, 0) / TICKS;
  }

  /** Bytes of memory of all processes of this browser now: what several share counts once. */
  memoryBytes(): number {
    return this.#processes().reduce((sum, { pid }) => {
      try {
        const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
        return sum + 1024 * Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
      } catch {
        // The process ended in the meantime.
        return sum;
      }
    }, 0);
  }

  /** Processes of this browser, and the clock ticks that each has used. */
  #processes(): { pid: number; ticks: number }[] {
    const root = this.#child.pid ?? 0;
    const processes = new Map<number, { parent: number; ticks: number }>();
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // Fields after the command name, which may hold anything: state, parent, …, utime and stime are fields 14 and 15.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        processes.set(Number(name), {
          parent: Number(fields[1]),
          ticks: Number(fields[11]) + Number(fields[12]),
        });
      } catch {
        // The process ended in the meantime.
      }
    }
    const isOurs = (pid: number): boolean =>
      pid === root || (processes.has(pid) && isOurs(processes.get(pid)?.parent ?? 0));
    return [...processes].flatMap(([pid, { ticks }]) => (isOurs(pid) ? [{ pid, ticks }] : []));
  }

  async close(): Promise<void> {
    if (this.#child.exitCode === null) this.#send('Browser.close').catch(() => undefined);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 3_000);
    await ended(this.#child);
    clearTimeout(timer);
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
