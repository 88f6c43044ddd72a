// State of a client's connection to an agent. No schemas here: the page loads this file first.
import { patienceOf } from './connection.js';
import type { AgentMessage, BodyOf, ReplyOf, RequestType } from './messages.js';

/** Most bytes before a client acknowledges. */
const ACK_BYTES = 256 * 1024;

/** A request that waits for its reply. Either function ends the wait. */
interface Pending {
  readonly type: RequestType;
  resolve(message: AgentMessage): void;
  reject(error: Error): void;
}

/** The functions that differ between clients. */
interface Client {
  send(text: string): void;
  /** Calls `expired` after `ms`. Returns a function that cancels the timer. */
  after(ms: number, expired: () => void): () => void;
  /** Makes the error of a request whose time is over. */
  noAnswer(type: RequestType, seconds: number): Error;
}

/** Requests of a client that wait for their replies, by number. */
export class PendingRequests {
  readonly #client: Client;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;

  constructor(client: Client) {
    this.#client = client;
  }

  request<T extends RequestType>(type: T, body: BodyOf<T>): Promise<ReplyOf<T>> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const settling =
        <R>(settle: (result: R) => void) =>
        (result: R): void => {
          this.#pending.delete(id);
          callOff?.();
          settle(result);
        };
      const pending: Pending = {
        type,
        resolve: settling((reply) => resolve(reply as ReplyOf<T>)),
        reject: settling(reject),
      };
      const limit = patienceOf(type);
      const expired = (): void => pending.reject(this.#client.noAnswer(type, limit! / 1000));
      const callOff = limit === null ? null : this.#client.after(limit, expired);
      this.#pending.set(id, pending);
      this.#client.send(JSON.stringify({ type, id, ...body }));
    });
  }

  /** The request that a message with the number `re` answers; undefined if none waits for it. */
  get(re: number | undefined): Pending | undefined {
    return re === undefined ? undefined : this.#pending.get(re);
  }

  rejectAll(error: () => Error): void {
    for (const pending of [...this.#pending.values()]) pending.reject(error());
  }
}

/**
 * Tells the agent the number of bytes of its streams that the client has used. The agent sends only a limited number
 * ahead.
 */
export class Acknowledgments {
  readonly #send: (text: string) => void;
  #consumed = 0;
  #acknowledged = 0;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  consume(bytes: number): void {
    this.#consumed += bytes;
    if (this.#consumed - this.#acknowledged < ACK_BYTES) return;
    this.#acknowledged = this.#consumed;
    this.#send(JSON.stringify({ type: 'run.ack', bytes: this.#consumed }));
  }
}
