import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { AppError } from '@verbslab/protocol';
import { sameToken } from '../config/same-token.js';
import type { Role } from '../base/subsystem.js';
import { Sessions } from './sessions.js';

/** Addresses that only this machine can reach. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export interface SecurityOptions {
  /** The owner's secret: opens everything. */
  token: string;
  /** The secret of the join strings: opens what a paired agent needs. */
  peerToken: string;
  /** Bound port; 0 until the server listens. */
  port(): number;
  /** Names under which the agent may be reached now, besides the usual ones of loopback; IPv6 in brackets. */
  names(): readonly string[];
  /** `host:port` under which the agent is reached through a forwarded port (--advertise). */
  advertised?: string;
}

const isEncrypted = (request: IncomingMessage): boolean => request.socket instanceof TLSSocket;

/**
 * Access control of the agent.
 * - The Host header must name this agent: a page that had its name rebound to 127.0.0.1 still sends its own.
 * - An Origin header, if present, must be exactly the address that the request went to. Upgrades and requests that
 *   may change something need one, unless they carry the token as Bearer (no page can add that).
 * - A program sends the token as Bearer; it is compared in constant time. A browser has the cookie of a session
 *   (HttpOnly, SameSite=Strict). Neither can replace the other.
 * - Another agent sends the secret of a join string as Bearer. The secret opens the WebSocket for the requests of
 *   peers, and no page.
 */
export class Security {
  readonly #options: SecurityOptions;
  readonly sessions: Sessions;

  constructor(options: SecurityOptions) {
    this.#options = options;
    this.sessions = new Sessions(options.token);
  }

  /** Name of the session cookie. Cookies are not bound to a port, so the name distinguishes agents of one host. */
  get cookieName(): string {
    return `verbslab_${this.#options.port()}`;
  }

  cookieFor(request: IncomingMessage, session: string): string {
    const secure = isEncrypted(request) ? '; Secure' : '';
    return `${this.cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/${secure}`;
  }

  /** True if a Host header names this agent. Clients leave out the default port of their scheme. */
  #isOwn(host: string, encrypted: boolean): boolean {
    const named = host.toLowerCase();
    const full = /:\d+$/.test(named) ? named : `${named}:${encrypted ? 443 : 80}`;
    const port = this.#options.port();
    const isOneOf = (hosts: readonly string[]): boolean => hosts.some((name) => `${name}:${port}` === full);
    return full === this.#options.advertised || isOneOf(LOOPBACK) || isOneOf(this.#options.names());
  }

  /** Checks the address of a request. Throws BAD_HOST or BAD_ORIGIN. */
  checkAddress(request: IncomingMessage, needsOrigin: boolean): void {
    const host = request.headers.host ?? '';
    const encrypted = isEncrypted(request);
    // Two Host headers reach Node as one joined value or the first of them: neither may slip through.
    const hosts = request.rawHeaders.filter(
      (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
    );
    if (hosts.length !== 1 || !this.#isOwn(host, encrypted)) throw new AppError('BAD_HOST', { host });
    const { origin } = request.headers;
    if (origin === undefined) {
      if (needsOrigin && this.#bearer(request) === null) throw new AppError('BAD_ORIGIN', { origin: 'none' });
    } else if (origin !== `${encrypted ? 'https' : 'http'}://${host}`) {
      throw new AppError('BAD_ORIGIN', { origin });
    }
    // Browsers report where a request without Origin (a link, an image) comes from.
    const site = request.headers['sec-fetch-site'];
    const navigation = request.headers['sec-fetch-mode'] === 'navigate';
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !navigation) {
      throw new AppError('BAD_ORIGIN', { origin: `${String(site)} request` });
    }
  }

  #bearer(request: IncomingMessage): string | null {
    return /^Bearer ([\w-]{1,128})$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
  }

  #cookie(request: IncomingMessage): string | null {
    for (const part of (request.headers.cookie ?? '').split(';')) {
      const [name, value] = part.trim().split('=', 2);
      if (name === this.cookieName) return value ?? null;
    }
    return null;
  }

  hasSession(request: IncomingMessage): boolean {
    const session = this.#cookie(request);
    return session !== null && this.sessions.isSession(session);
  }

  #roleOf(request: IncomingMessage): Role | null {
    const bearer = this.#bearer(request);
    if (bearer === null) return this.hasSession(request) ? 'page' : null;
    if (sameToken(bearer, this.#options.peerToken)) return 'peer';
    if (!sameToken(bearer, this.#options.token)) return null;
    // Only a browser has an origin.
    return request.headers.origin === undefined ? 'owner' : 'page';
  }

  /** Returns the role of the sender. Throws UNAUTHENTICATED. */
  authenticate(request: IncomingMessage): Role {
    const role = this.#roleOf(request);
    if (role === null) throw new AppError('UNAUTHENTICATED');
    return role;
  }

  /** Checks that the owner sent the request. Throws UNAUTHENTICATED, or NOT_FOR_PEERS for another agent. */
  authenticateOwner(request: IncomingMessage): void {
    if (this.authenticate(request) === 'peer') throw new AppError('NOT_FOR_PEERS', { type: 'HTTP requests' });
  }
}
