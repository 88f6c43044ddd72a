// What a client of an agent keeps of a connection. Without schemas: the page has it in its first load.
import { patienceOf } from './connection.js';
import type { AgentMessage, BodyOf, ReplyOf, RequestType } from './messages.js';

/** A client acknowledges at least every so many bytes. */
const ACK_BYTES = 256 * 1024;

/** A request that waits for its reply. Either call ends the wait. */
interface Pending {
  readonly type: RequestType;
  resolve(message: AgentMessage): void;
  reject(error: Error): void;
}

/** What differs between clients. */
interface Client {
  send(text: string): void;
  /** Calls `expired` after `ms`. Returns how to call it off. */
  after(ms: number, expired: () => void): () => void;
  /** The error of a request that has waited as long as it may. */
  noAnswer(type: RequestType, seconds: number): Error;
}

/** The requests of a client that wait for their replies, by number. */
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

  /** The request that a message with this number answers; undefined when none waits for it. */
  get(re: number | undefined): Pending | undefined {
    return re === undefined ? undefined : this.#pending.get(re);
  }

  rejectAll(error: () => Error): void {
    for (const pending of [...this.#pending.values()]) pending.reject(error());
  }
}

/** Tells the agent how many bytes of its streams a client has used: it sends only so many ahead. */
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
