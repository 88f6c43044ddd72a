import { spawn } from 'node:child_process';
import { closeSync, readSync, write } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { OutputPipe } from './output-pipe.js';

const writeTo = promisify(write);

/** Largest content of a pipe of an ordinary user, bytes. */
const PIPE_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Pause between two attempts to write to a file descriptor that another process made non-blocking, ms. */
const RETRY_MS = 2;
/** Time that a reader that takes nothing may hold up the end of a program that a signal ended, ms. */
const SIGNALED_MS = 2_000;

/** Writes all bytes. Returns false if the reader is gone. */
async function writeAll(fd: number, bytes: Buffer): Promise<boolean> {
  for (let at = 0; at < bytes.length;) {
    try {
      at += (await writeTo(fd, bytes, at)).bytesWritten;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') await setTimeout(RETRY_MS);
      else if (code !== 'EINTR') return false;
    }
  }
  return true;
}

/** Passes a program's output on to its destination, byte by byte, and shows it to `look` on the way. */
export class OutputRelay {
  readonly #pipe: OutputPipe;
  readonly #look: (bytes: Buffer) => void;
  readonly #source: Socket;
  #passing: Promise<void> = Promise.resolve();
  #finishing = false;
  /** True if the reader of the output is gone. */
  #broken = false;

  constructor(pipe: OutputPipe, look: (bytes: Buffer) => void) {
    this.#pipe = pipe;
    this.#look = look;
    this.#source = new Socket({ fd: pipe.readEnd, readable: true, writable: false });
    this.#source.on('error', () => this.#source.destroy());
    this.#source.on('data', (chunk: Buffer) => {
      // The pieces are passed on singly: while one waits for its reader, the pipe fills, and the program blocks as it
      // would without us.
      this.#source.pause();
      this.#passing = this.#pass(chunk).then(() => {
        if (this.#finishing || this.#source.destroyed) return;
        // The program then gets SIGPIPE, as it would without us.
        if (this.#broken) this.#source.destroy();
        else this.#source.resume();
      });
    });
  }

  /** Closes our copy of the writing end, since the program has its own now. */
  started(): void {
    closeSync(this.#pipe.writeEnd);
  }

  async #pass(bytes: Buffer): Promise<void> {
    this.#look(bytes);
    if (!this.#broken && !(await writeAll(this.#pipe.target, bytes))) this.#broken = true;
  }

  /**
   * Passes on what the program printed before its end. Processes that outlive it and still hold the pipe do not hold
   * this up; their later output reaches its reader without us.
   */
  async finish(signaled: boolean): Promise<void> {
    this.#finishing = true;
    const rest = this.#rest();
    await (signaled ? Promise.race([rest, setTimeout(SIGNALED_MS, undefined, { ref: false })]) : rest);
    this.#source.destroy();
  }

  async #rest(): Promise<void> {
    await this.#passing;
    this.#source.pause();
    // Without this, chunks that are read by hand would arrive as events, too.
    this.#source.removeAllListeners('data');
    for (;;) {
      const chunk = this.#source.read() as Buffer | null;
      if (chunk === null) break;
      await this.#pass(chunk);
    }
    if (this.#source.destroyed || this.#source.readableEnded || this.#broken) return;
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let left = PIPE_BYTES; left > 0 && !this.#broken;) {
      let length: number;
      try {
        length = readSync(this.#pipe.readEnd, piece);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') break;
        return;
      }
      if (length === 0) return;
      await this.#pass(Buffer.from(piece.subarray(0, length)));
      left -= length;
    }
    if (!this.#broken) this.#handOver();
  }

  /** Leaves the pipe to a `cat`: a process that still writes would get SIGPIPE once this process is gone. */
  #handOver(): void {
    const stdio = [this.#pipe.readEnd, this.#pipe.target, 'ignore'] as const;
    const heir = spawn('cat', [], { stdio: [...stdio], detached: true });
    heir.on('error', () => undefined);
    heir.unref();
  }
}
