import type { Socket } from 'node:net';
import { lookupErrno, type Faults } from '@verbslab/protocol';
import { faultsBytes } from '@verbslab/verbs';
import { injectedFaults } from '../faults/injected-faults.js';
import type { FeedNote } from './messages.js';
import type { ProcessFeed } from './process-feed.js';

/** native/uroce/feed/message.h: MessageType::faults. */
const FAULTS = 16;
/**
 * Longest wait for an answer, ms: a busy machine may leave a process a tenth of a core. One that is stopped, or whose engine
 * is held, does not answer.
 */
const ANSWER_MS = 10_000;

/** Encodes the message that sets these faults. Throws VerbsError EINVAL for a value out of range. */
function faultsMessage(id: number, faults: Faults): Buffer {
  const bytes = faultsBytes(injectedFaults(faults));
  const head = Buffer.alloc(12);
  head.writeUInt32LE(4 + bytes.length, 0);
  head.writeUInt32LE(FAULTS, 4);
  head.writeUInt32LE(id, 8);
  return Buffer.concat([head, bytes]);
}

interface Waiting {
  faults: Faults;
  done: (why: string | null) => void;
}

/** The control channel to a process under `verbslab exec`. */
export class ProcessControl {
  readonly #socket: Socket;
  readonly #feed: ProcessFeed;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  /** True once the process was told to inject a fault. */
  #any = false;
  #obeys: boolean | null = null;

  constructor(socket: Socket, feed: ProcessFeed) {
    this.#socket = socket;
    this.#feed = feed;
    socket.once('close', () => this.#refuseAll('the process has ended'));
  }

  /** Name of the process in the run; null before it has identified itself. */
  get endpoint(): string | null {
    return this.#feed.endpoint;
  }

  /**
   * Sets the faults that the process's device injects from now on. Resolves with null, or with the reason for a
   * failure. Never rejects.
   */
  set(faults: Faults): Promise<string | null> {
    if (this.#obeys === false) return Promise.resolve(TOO_OLD);
    const id = ++this.#last;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#waiting.get(id)?.done(`the process did not answer within ${ANSWER_MS / 1000} s`),
        ANSWER_MS,
      );
      const done = (why: string | null): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(why);
      };
      this.#waiting.set(id, { faults, done });
      try {
        this.#socket.write(faultsMessage(id, faults));
      } catch (error) {
        done((error as Error).message.replace(/\.$/, ''));
      }
    });
  }

  take(note: FeedNote): void {
    if (note.type === 'hello') {
      this.#obeys = (note.control ?? 0) >= 1;
      if (!this.#obeys) this.#refuseAll(TOO_OLD);
    }
    if (note.type !== 'control') return;
    const { id, t, errno } = note;
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (errno !== 0)
      return waiting.done(
        `the device of the process refused them (${lookupErrno(errno)?.name ?? `errno ${errno}`})`,
      );
    this.#any ||= Object.keys(waiting.faults).length > 0;
    // An empty set of faults at the beginning is no change to record.
    if (this.#any) this.#feed.faults(waiting.faults, t);
    waiting.done(null);
  }

  #refuseAll(why: string): void {
    for (const { done } of [...this.#waiting.values()]) done(why);
  }
}

const TOO_OLD = 'the device of this process is of a version that cannot be changed while it runs';
