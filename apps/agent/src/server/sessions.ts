import { createHmac, randomBytes } from 'node:crypto';
import { sameToken } from '../config/same-token.js';

/** Validity of a one-time code, ms. */
export const CODE_MS = 15 * 60_000;
/** Time in which an open page may resume its session with the next agent of this data directory, ms. */
const RESUME_MS = 24 * 3_600_000;
const MAX_CODES = 256;
const MAX_SESSIONS = 1024;

const random = (): string => randomBytes(24).toString('base64url');

function forgetOldest(kept: Map<string, unknown> | Set<string>, limit: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= limit) return;
    kept.delete(key);
  }
}

/** Key that a page keeps in memory to sign in again after a restart. */
export interface Resume {
  id: string;
  key: string;
}

/**
 * Sessions of browsers. The token never reaches a browser: a one-time code becomes a random session, which ends with
 * this process. A cookie sent to a stranger on the port of an ended agent therefore opens nothing.
 */
export class Sessions {
  readonly #token: string;
  /** Expiry times of one-time codes, ms since 1970, by code. */
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Set<string>();
  /** Random text over which a page proves its key. */
  readonly challenge = random();

  constructor(token: string) {
    this.#token = token;
  }

  newCode(): string {
    const code = random();
    this.#codes.set(code, Date.now() + CODE_MS);
    forgetOldest(this.#codes, MAX_CODES);
    return code;
  }

  /** Opens a session for an unused and valid code; null for any other. */
  redeem(code: string): string | null {
    const until = this.#codes.get(code);
    this.#codes.delete(code);
    return until !== undefined && Date.now() < until ? this.#open() : null;
  }

  isSession(given: string): boolean {
    return this.#sessions.has(given);
  }

  #open(): string {
    const session = random();
    this.#sessions.add(session);
    forgetOldest(this.#sessions, MAX_SESSIONS);
    return session;
  }

  newResume(): Resume {
    const id = `${Date.now() + RESUME_MS}.${random()}`;
    return { id, key: this.#keyOf(id) };
  }

  #keyOf(id: string): string {
    return createHmac('sha256', this.#token).update(`resume ${id}`).digest('base64url');
  }

  /**
   * Opens a session for a page that proves its key to this process under the host name that it used; null for any
   * other.
   */
  resume(id: string, proof: string, host: string): string | null {
    const wanted = createHmac('sha256', this.#keyOf(id))
      .update(`${this.challenge} ${host}`)
      .digest('base64url');
    return Date.now() < Number(id.split('.')[0]) && sameToken(proof, wanted) ? this.#open() : null;
  }
}
