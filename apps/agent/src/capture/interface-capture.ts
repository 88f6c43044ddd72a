/** Packets of RoCEv2 that pass a network interface: runs `vlcapture`, which needs CAP_NET_RAW. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { AppError } from '@verbslab/protocol';
import { capturePath } from '@verbslab/native';
import { captureForbidden, FORBIDDEN } from './permission.js';
import { RecordReader, type CapturedPacket, type Mark } from './records.js';

export interface InterfaceCaptureOptions {
  /** Bytes kept of a packet, from its IP header on. Default: whole packets. */
  snapLength?: number;
  /** Bytes of the kernel's ring, where packets wait to be read. Default 32 MiB. */
  ringBytes?: number;
}

/**
 * Limit of packets taken from the program and not fetched yet, bytes. Beyond it the program has to wait, and packets
 * that no longer fit the ring are counted as dropped.
 */
const QUEUE_BYTES = 64 * 1024 * 1024;
const KEPT_OUTPUT_CHARS = 2048;

interface Waiter {
  resolve: (mark: Mark) => void;
  reject: (error: AppError) => void;
}

/**
 * Capture of everything to UDP port 4791 on one interface, both directions, of all programs. `await start()` first;
 * after `stop()` the captured packets can still be taken.
 */
export class InterfaceCapture {
  readonly #interface: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiters: Waiter[] = [];
  readonly #closed: Promise<void>;
  #packets: CapturedPacket[] = [];
  #bytes = 0;
  #counts: Mark = { received: 0, dropped: 0 };
  #gone: AppError | undefined;
  #said = '';

  private constructor(name: string, options: InterfaceCaptureOptions, program: string) {
    this.#interface = name;
    const words = [
      ...(options.snapLength ? ['--snap', String(options.snapLength)] : []),
      ...(options.ringBytes ? ['--buffer', String(options.ringBytes)] : []),
    ];
    this.#child = spawn(program, ['run', name, ...words], { stdio: ['pipe', 'pipe', 'pipe'] });
    const { stdin, stdout, stderr } = this.#child;
    const reader = new RecordReader({
      packet: (packet) => {
        this.#packets.push(packet);
        this.#bytes += packet.bytes.length;
      },
      mark: (mark) => {
        this.#counts = mark;
        this.#waiters.shift()?.resolve(mark);
      },
    });
    stdout.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      // A waiter for a mark takes everything right after it.
      if (this.#bytes > QUEUE_BYTES && this.#waiters.length === 0) stdout.pause();
    });
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(-KEPT_OUTPUT_CHARS);
    });
    // `close` reports the end of the program.
    stdin.on('error', () => undefined);
    this.#closed = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#end(this.#failed(error.message));
        resolve();
      });
      this.#child.once('close', (code, signal) => {
        const how = this.#said.trim() || `it ended with ${signal ?? `code ${code}`}`;
        this.#end(code === FORBIDDEN ? captureForbidden(how) : this.#failed(how));
        resolve();
      });
    });
  }

  /**
   * Resolves when packets are being captured. Rejects with AppError CAPTURE_FORBIDDEN without the capability, or
   * CAPTURE_FAILED (no such interface, the interface is down, …).
   */
  static async start(
    name: string,
    options: InterfaceCaptureOptions = {},
    program = capturePath,
  ): Promise<InterfaceCapture> {
    const capture = new InterfaceCapture(name, options, program);
    await capture.#mark();
    return capture;
  }

  /** Returns the packets since the last call, oldest first. */
  take(): CapturedPacket[] {
    const packets = this.#packets;
    this.#packets = [];
    this.#bytes = 0;
    if (this.#child.stdout.isPaused()) this.#child.stdout.resume();
    return packets;
  }

  /** Counts from the start to the last mark. */
  get counts(): Mark {
    return this.#counts;
  }

  /** Resolves when all packets from before the call can be taken. Rejects with CAPTURE_FAILED. */
  async settle(): Promise<void> {
    const marked = this.#mark();
    this.#child.stdin.write('\n');
    await marked;
  }

  /**
   * Ends the capture; earlier packets can still be taken. Rejects with CAPTURE_FAILED if the capture had ended by
   * itself.
   */
  async stop(): Promise<void> {
    const marked = this.#mark();
    this.#child.stdin.end();
    await marked;
    await this.#closed;
  }

  /** Ends the capture at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #mark(): Promise<Mark> {
    if (this.#gone) return Promise.reject(this.#gone);
    this.#child.stdout.resume();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  #failed(detail: string): AppError {
    return new AppError('CAPTURE_FAILED', { interface: this.#interface, detail });
  }

  #end(error: AppError): void {
    this.#gone ??= error;
    const waiters = this.#waiters.splice(0);
    for (const { reject } of waiters) reject(this.#gone);
  }
}
