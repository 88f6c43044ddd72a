/**
 * A thread for functions of a peer, seen from the endpoint. The thread is ended if a function takes too long or breaks
 * it.
 */
import { Worker } from 'node:worker_threads';
import { AppError } from '@verbslab/protocol';
import { childProgram } from '../../config/agent-folder.js';
import { READY, type FromSandbox, type ToSandbox } from './messages.js';

/** Limits of the thread's JavaScript; the memory of a module has its own limit. */
const OWN_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 };

export interface Ran {
  /** Length of the output. */
  bytes: number;
  runNs: number;
  /** Memory of the module after the call. */
  memoryBytes: number;
}

export class Sandbox {
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #shared = new SharedArrayBuffer(0);
  #pending: { resolve: (message: FromSandbox) => void; reject: (error: AppError) => void } | undefined;
  #ended = false;

  constructor() {
    this.#worker = new Worker(childProgram('endpoint/lambda/worker').path, {
      env: {},
      execArgv: [],
      resourceLimits: OWN_LIMITS,
    });
    this.#ready = new Promise((resolve) => {
      this.#worker.on('message', (message: FromSandbox | typeof READY) => {
        if (message === READY) resolve();
        else this.#settle()?.resolve(message);
      });
      // The waiting caller checks `#ended` next.
      this.#worker.once('exit', () => resolve());
    });
    this.#worker.unref();
    this.#worker.on('error', (error) => {
      this.#ended = true;
      this.#settle()?.reject(new AppError('LAMBDA_TRAP', { detail: error.message }));
    });
    this.#worker.on('exit', () => {
      this.#ended = true;
      this.#settle()?.reject(new AppError('LAMBDA_TRAP', { detail: 'its sandbox ended' }));
    });
  }

  /** False after a function has cost the sandbox its thread. */
  get usable(): boolean {
    return !this.#ended;
  }

  #settle() {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }

  async #ask(message: ToSandbox, limitMs: number): Promise<Extract<FromSandbox, { done: true }>> {
    if (this.#ended || this.#pending)
      throw new AppError('LAMBDA_TRAP', { detail: 'its sandbox is not free' });
    // The limit is for the function, not for the start of the thread.
    await this.#ready;
    if (this.#ended) throw new AppError('LAMBDA_TRAP', { detail: 'its sandbox ended' });
    const answer = await new Promise<FromSandbox>((resolve, reject) => {
      const late = setTimeout(() => {
        this.#ended = true;
        this.#settle();
        // The caller learns of the timeout only after the function has stopped.
        void this.#worker.terminate().then(() => reject(new AppError('LAMBDA_TIME', { limitMs })));
      }, limitMs);
      this.#pending = {
        resolve: (found) => {
          clearTimeout(late);
          resolve(found);
        },
        reject: (error) => {
          clearTimeout(late);
          reject(error);
        },
      };
      this.#worker.postMessage(message);
    });
    if (!answer.done) throw new AppError(answer.code, answer.params);
    return answer;
  }

  /** Loads a module. Returns the time that the sandbox took, ns. Throws AppError LAMBDA_…. */
  async load(module: Uint8Array, memoryBytes: number, limitMs: number): Promise<number> {
    return (await this.#ask({ do: 'load', module: new Uint8Array(module), memoryBytes }, limitMs)).elapsedNs;
  }

  /** Runs the function on `input`. Throws AppError LAMBDA_…. */
  async run(input: Uint8Array, output: Uint8Array, limitMs: number): Promise<Ran> {
    const room = input.length + output.length;
    if (this.#shared.byteLength < room) this.#shared = new SharedArrayBuffer(room);
    const shared = this.#shared;
    new Uint8Array(shared).set(input);
    const message = { do: 'run', shared, inputBytes: input.length, outputBytes: output.length } as const;
    const { bytes, elapsedNs, memoryBytes } = await this.#ask(message, limitMs);
    output.set(new Uint8Array(shared, input.length, bytes));
    return { bytes, runNs: elapsedNs, memoryBytes };
  }

  /** Drops the module, so that the thread can take another one. The caller need not wait: messages keep their order. */
  reset(): void {
    const message: ToSandbox = { do: 'reset' };
    this.#worker.postMessage(message);
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#worker.terminate();
  }
}
