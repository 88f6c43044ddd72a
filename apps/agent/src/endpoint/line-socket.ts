import type { Socket } from 'node:net';
import { callFailed } from '@verbslab/protocol';
import { readLines } from './lines.js';

/** A socket on which both ends write lines in turn. */
export class LineSocket {
  readonly #socket: Socket;
  readonly #lines: string[] = [];
  #reader: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined;
  #error: Error | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    readLines(socket, (line) => {
      this.#lines.push(line);
      this.#settle();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#error ??= callFailed('SYSTEM', 'read', error.code ?? 'EIO');
    });
    socket.on('close', () => {
      this.#error ??= callFailed('SYSTEM', 'read', 'ECONNRESET');
      this.#settle();
    });
  }

  /** The next line. @throws AppError when the socket ends before; one read at a time */
  read(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#settle();
    });
  }

  write(line: string): void {
    this.#socket.write(`${line}\n`);
  }

  #settle(): void {
    const reader = this.#reader;
    if (!reader) return;
    const line = this.#lines.shift();
    if (line === undefined && this.#error === undefined) return;
    this.#reader = undefined;
    if (line !== undefined) reader.resolve(line);
    else reader.reject(this.#error!);
  }
}
