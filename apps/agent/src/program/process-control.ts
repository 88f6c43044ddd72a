import type { Socket } from 'node:net';
import { lookupErrno, type Faults } from '@verbslab/protocol';
import { faultsBytes } from '@verbslab/verbs';
import { injectedFaults } from '../faults/injected-faults.js';
import type { FeedNote } from './messages.js';
import type { ProcessFeed } from './process-feed.js';

/** native/uroce/feed/message.h: MessageType::faults. */
const FAULTS = 16;
/** A process that is stopped, or whose engine is held, does not answer. */
const ANSWER_MS = 2_000;

/** The message that sets these faults. Throws VerbsError EINVAL on a value out of range. */
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

/** The way to one process under `verbslab exec`. */
export class ProcessControl {
  readonly #socket: Socket;
  readonly #feed: ProcessFeed;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  /** It was told to do something to packets. */
  #any = false;
  #obeys: boolean | null = null;

  constructor(socket: Socket, feed: ProcessFeed) {
    this.#socket = socket;
    this.#feed = feed;
    socket.once('close', () => this.#refuseAll('the process has ended'));
  }

  /** How the run names the process; null before it has said who it is. */
  get endpoint(): string | null {
    return this.#feed.endpoint;
  }

  /** What its device does to packets from now on. Resolves with null, or why it does not. Never rejects. */
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
    // That there are none at the beginning is nothing new.
    if (this.#any) this.#feed.faults(waiting.faults, t);
    waiting.done(null);
  }

  #refuseAll(why: string): void {
    for (const { done } of [...this.#waiting.values()]) done(why);
  }
}

const TOO_OLD = 'the device of this process is of a version that cannot be changed while it runs';
