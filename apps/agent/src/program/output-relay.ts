import { spawn } from 'node:child_process';
import { closeSync, readSync, write } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { OutputPipe } from './output-pipe.js';

const writeTo = promisify(write);

/** No pipe of an ordinary user holds more. */
const PIPE_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** Between two attempts to write to a file descriptor that another process made non-blocking. */
const RETRY_MS = 2;
/** A reader that takes nothing may hold up the end of a program that a signal ended for so long. */
const SIGNALLED_MS = 2_000;

/** False when nothing takes the bytes any more. */
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

/** Passes what a program prints on to where it would have gone, byte by byte, and shows it to `look` on the way. */
export class OutputRelay {
  readonly #pipe: OutputPipe;
  readonly #look: (bytes: Buffer) => void;
  readonly #source: Socket;
  #passing: Promise<void> = Promise.resolve();
  #finishing = false;
  /** Nothing takes the output any more. */
  #broken = false;

  constructor(pipe: OutputPipe, look: (bytes: Buffer) => void) {
    this.#pipe = pipe;
    this.#look = look;
    this.#source = new Socket({ fd: pipe.readEnd, readable: true, writable: false });
    this.#source.on('error', () => this.#source.destroy());
    this.#source.on('data', (chunk: Buffer) => {
      // One piece at a time: while it waits for its reader, the pipe fills, and the program waits as it would without us.
      this.#source.pause();
      this.#passing = this.#pass(chunk).then(() => {
        if (this.#finishing || this.#source.destroyed) return;
        // The program then gets SIGPIPE, as it would without us.
        if (this.#broken) this.#source.destroy();
        else this.#source.resume();
      });
    });
  }

  /** The program has its end of the pipe now. */
  started(): void {
    closeSync(this.#pipe.writeEnd);
  }

  async #pass(bytes: Buffer): Promise<void> {
    this.#look(bytes);
    if (!this.#broken && !(await writeAll(this.#pipe.target, bytes))) this.#broken = true;
  }

  /**
   * The program has ended: passes on what it printed before. Processes that outlive it and still hold the pipe do not
   * hold this up; what they print later reaches its reader without us.
   */
  async finish(signalled: boolean): Promise<void> {
    this.#finishing = true;
    const rest = this.#rest();
    await (signalled ? Promise.race([rest, setTimeout(SIGNALLED_MS, undefined, { ref: false })]) : rest);
    this.#source.destroy();
  }

  async #rest(): Promise<void> {
    await this.#passing;
    this.#source.pause();
    // What is read by hand would come as an event too.
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

  /** A process that still writes would get SIGPIPE once this process is gone. */
  #handOver(): void {
    const stdio = [this.#pipe.readEnd, this.#pipe.target, 'ignore'] as const;
    const heir = spawn('cat', [], { stdio: [...stdio], detached: true });
    heir.on('error', () => undefined);
    heir.unref();
  }
}
