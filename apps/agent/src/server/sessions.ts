import { createHmac, randomBytes } from 'node:crypto';
import { sameToken } from '../config/same-token.js';

/** How long a one-time code lets in. */
export const CODE_MS = 15 * 60_000;
/** How long a page that stays open may take up its session at the next agent of this data directory. */
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

/** What a page keeps in its memory to come in again after a restart. */
export interface Resume {
  id: string;
  key: string;
}

/**
 * Sessions of browsers. The token never reaches a browser: a one-time code becomes a random session, which ends
 * with this process. So a cookie that a browser sends to a stranger on the port of an ended agent opens nothing.
 */
export class Sessions {
  readonly #token: string;
  /** One-time codes, and when each ends. */
  readonly #codes = new Map<string, number>();
  readonly #sessions = new Set<string>();
  /** What a page proves its key over. */
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

  /** A session for a code that has not been used and has not ended; null for any other. */
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

  /** A session for a page that proves its key to this process under this name of it; null for any other. */
  resume(id: string, proof: string, host: string): string | null {
    const wanted = createHmac('sha256', this.#keyOf(id))
      .update(`${this.challenge} ${host}`)
      .digest('base64url');
    return Date.now() < Number(id.split('.')[0]) && sameToken(proof, wanted) ? this.#open() : null;
  }
}
