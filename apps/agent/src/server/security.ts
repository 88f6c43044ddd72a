import type { IncomingMessage } from 'node:http';
import { AppError } from '@verbslab/protocol';
import { sameToken } from '../config/same-token.js';

/** Addresses that only this machine can reach. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export interface SecurityOptions {
  token: string;
  /** Bound port; 0 until the server listens. */
  port(): number;
  /** Host names beside loopback under which the agent may be reached (--allow-remote). */
  extraHosts: readonly string[];
  /** `host:port` under which it is reached through a forwarded port (--advertise). */
  extraAddresses?: readonly string[];
  /** Whether the agent speaks TLS. */
  tls?: boolean;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Who may talk to the agent.
 *  - The Host header must name this agent: a page that had its name rebound to 127.0.0.1 still sends its own.
 *  - An Origin header, where there is one, must be exactly the address that the request went to. Upgrades and
 *    requests that may change something need one, unless they carry the token as Bearer (no page can add that).
 *  - The token comes as cookie (HttpOnly, SameSite=Strict) or as Bearer, and is compared in constant time.
 */
export class Security {
  readonly #options: SecurityOptions;

  constructor(options: SecurityOptions) {
    this.#options = options;
  }

  /** Cookies know no ports, so the name tells agents of one host apart. */
  get cookieName(): string {
    return `verbslab_${this.#options.port()}`;
  }

  cookieFor(token: string): string {
    return `${this.cookieName}=${token}; HttpOnly; SameSite=Strict; Path=/${this.#options.tls ? '; Secure' : ''}`;
  }

  isToken(given: string): boolean {
    return sameToken(given, this.#options.token);
  }

  /** Throws BAD_HOST or BAD_ORIGIN. */
  checkAddress(request: IncomingMessage, needsOrigin: boolean): void {
    const host = request.headers.host ?? '';
    const { extraHosts, extraAddresses = [], tls } = this.#options;
    const port = this.#options.port();
    const allowed = [...LOOPBACK, ...extraHosts].map((name) => `${name}:${port}`).concat(extraAddresses);
    // Two Host headers reach Node as one joined value or the first of them: neither may slip through.
    const hosts = request.rawHeaders.filter(
      (name, index) => index % 2 === 0 && name.toLowerCase() === 'host',
    );
    if (hosts.length !== 1 || !allowed.includes(host.toLowerCase())) throw new AppError('BAD_HOST', { host });
    const { origin } = request.headers;
    if (origin === undefined) {
      if (needsOrigin && this.#bearer(request) === null) throw new AppError('BAD_ORIGIN', { origin: 'none' });
    } else if (origin !== `${tls ? 'https' : 'http'}://${host}`) {
      throw new AppError('BAD_ORIGIN', { origin });
    }
    // Browsers tell where a request without Origin (a link, an image) comes from.
    const site = request.headers['sec-fetch-site'];
    const navigation = request.headers['sec-fetch-mode'] === 'navigate';
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !navigation) {
      throw new AppError('BAD_ORIGIN', { origin: `${String(site)} request` });
    }
  }

  /** True for programs: a page cannot send the token as Bearer. */
  isProgram(request: IncomingMessage): boolean {
    return this.#bearer(request) !== null && request.headers.origin === undefined;
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

  isAuthenticated(request: IncomingMessage): boolean {
    const given = this.#bearer(request) ?? this.#cookie(request);
    return given !== null && this.isToken(given);
  }

  /** Throws UNAUTHENTICATED. */
  authenticate(request: IncomingMessage): void {
    if (!this.isAuthenticated(request)) throw new AppError('UNAUTHENTICATED');
  }
}
