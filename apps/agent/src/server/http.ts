import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { AppError, errorEntry, PROTOCOL_VERSION, toErrorInfo, type Health } from '@verbslab/protocol';
import { exportName } from '@verbslab/protocol/exports';
import { VERSION } from '../config/version.js';
import type { Logger } from '../base/log.js';
import { AlreadyHere } from '../imports/import.js';
import type { Imports } from '../imports/imports.js';
import type { RunManager } from '../runs/manager.js';
import type { Notebook } from '../runs/notebook.js';
import type { Identity } from '../config/identity.js';
import { TlsOrHttp } from './tls-or-http.js';
import { exportFormat, exportSource, wholeRunJson } from './export.js';
import { uploadOf } from './import.js';
import { errorPage, leadOnPage } from './pages.js';
import type { Security } from './security.js';
import { sendPieces } from './send-pieces.js';
import type { StaticSite } from './static.js';

export interface HttpOptions {
  security: Security;
  manager: RunManager;
  notebook: Notebook;
  imports: Imports;
  site: StaticSite;
  metrics(): string;
  logger: Logger;
  identity: Identity;
  /** True if HTTP without TLS is served, too. */
  plain: boolean;
  /** Longest pause of an upload, ms. */
  uploadIdleMs?: number | undefined;
}

/** Longest time for a request to arrive, and for the first bytes on a connection, ms. */
const REQUEST_MS = 10_000;
/** Most sockets at a time, from all clients: four times the limit of WebSockets. */
const MAX_SOCKETS = 256;
/** Longest time that a refused upload may go on, ms: browsers read the answer only after they have sent everything. */
const DRAIN_MS = 60_000;

/** Headers of every response: no other page may use what this server sends. */
const HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

const IMPORT = '/api/runs/import';

/** The agent’s HTTP side: dashboard, health, metrics, downloads, and one upload. All other changes go over /ws. */
export class HttpSide {
  readonly server: Server;
  readonly #tlsOrHttp: TlsOrHttp;
  readonly #options: HttpOptions;
  readonly #started = Date.now();
  requests = 0;
  refused = 0;

  constructor(options: HttpOptions) {
    this.#options = options;
    const { identity, plain } = options;
    this.server = createServer({
      // Headers have 5 s. A body has its own limit: see `hurry`.
      requestTimeout: 0,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
    });
    // Sockets may be silent for a while, and file descriptors are needed to start endpoints.
    this.server.maxConnections = MAX_SOCKETS;
    this.#tlsOrHttp = new TlsOrHttp(this.server, { identity, plain, patienceMs: REQUEST_MS });
    this.server.on('request', (request, response) => void this.#handle(request, response));
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      // Browsers open connections ahead of need. They would take an unrequested answer for that of the next request.
      const unused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
      if (unused || !socket.writable) socket.destroy();
      else socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    });
  }

  /** Takes no more connections and ends the existing ones, busy ones after a second. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.#tlsOrHttp.close();
    this.server.closeIdleConnections();
    setTimeout(() => this.server.closeAllConnections(), 1_000).unref();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++;
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    try {
      await this.#route(request, response, requestUrl(request));
    } catch (error) {
      this.#answerError(request, response, error);
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { security } = this.#options;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    security.checkAddress(request, !reads);
    if (url.pathname === IMPORT) {
      await this.#import(request, response, url);
      return;
    }
    hurry(request);
    if (!reads) throw notAllowed(request, url, 'GET');
    if (url.pathname === '/api/health') {
      sendJson(response, this.#health(request));
      return;
    }
    if (url.pathname === '/api/resume') {
      this.#resume(request, response, url);
      return;
    }
    const code = url.searchParams.get('code');
    if (code !== null && request.method === 'GET') {
      this.#signIn(request, response, url, code);
      return;
    }
    security.authenticateOwner(request);
    if (url.pathname === '/metrics') {
      response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
      response.end(this.#options.metrics());
      return;
    }
    const run = /^\/api\/runs\/([0-9a-z]{1,32})(\.json|\/capture\.pcapng)?$/.exec(url.pathname);
    if (run) {
      if (run[2] === '/capture.pcapng') await this.#capture(request, response, run[1]!);
      else if (run[2] === '.json') await this.#export(request, response, run[1]!);
      else sendJson(response, this.#options.manager.get(run[1]!));
      return;
    }
    const wanted = /^\/api\/runs\/([0-9a-z]{1,32})\/export\/([a-z]{1,32})$/.exec(url.pathname);
    if (wanted) {
      await this.#exportAs(request, response, wanted[1]!, wanted[2]!);
      return;
    }
    if (url.pathname.startsWith('/api/') || url.pathname === '/ws') {
      throw new AppError('NOT_FOUND', { path: url.pathname });
    }
    await this.#options.site.serve(request, response, url.pathname);
  }

  #health(request: IncomingMessage): Health {
    return {
      status: 'ok',
      product: 'verbslab',
      version: VERSION,
      protocol: PROTOCOL_VERSION,
      pid: process.pid,
      uptimeSeconds: Math.round((Date.now() - this.#started) / 100) / 10,
      signedIn: this.#options.security.hasSession(request),
    };
  }

  /** Turns the one-time code of the address into a session and takes it out of the address bar and the history. */
  #signIn(request: IncomingMessage, response: ServerResponse, url: URL, code: string): void {
    const { security } = this.#options;
    // A browser that has signed in may load the address again: from its history, or after fetching it ahead of need.
    if (!security.hasSession(request)) {
      const session = security.sessions.redeem(code);
      if (session === null) throw new AppError('BAD_CODE');
      response.setHeader('Set-Cookie', security.cookieFor(request, session));
    }
    url.searchParams.delete('code');
    response.setHeader('Cache-Control', 'no-store');
    // A path of several leading slashes would be read as another host.
    const target = `/${url.pathname.replace(/^\/+/, '')}${url.search}`;
    if (request.headers['sec-fetch-site'] === 'cross-site') {
      // The redirect file led here. A redirect would belong to its navigation and go without the SameSite cookie.
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(leadOnPage(target));
    } else {
      response.writeHead(303, { Location: target }).end();
    }
  }

  /**
   * Gives a page that stayed open over a restart a session for the proof of its key; without a proof, the challenge.
   */
  #resume(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const { security } = this.#options;
    const { sessions } = security;
    const [id, proof] = [url.searchParams.get('id'), url.searchParams.get('proof')];
    if (id === null || proof === null) {
      sendJson(response, { challenge: sessions.challenge });
      return;
    }
    const session = sessions.resume(id, proof, request.headers.host ?? '');
    if (session === null) throw new AppError('UNAUTHENTICATED');
    response.setHeader('Set-Cookie', security.cookieFor(request, session));
    response.setHeader('Cache-Control', 'no-store');
    response.writeHead(204).end();
  }

  async #capture(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const file = this.#options.manager.captureFile(id);
    response.setHeader('Content-Type', 'application/x-pcapng');
    response.setHeader('Content-Disposition', `attachment; filename="verbslab-${id}.pcapng"`);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Length', statSync(file).size);
    if (request.method === 'HEAD') response.end();
    else await pipeline(createReadStream(file, { end: Math.max(0, statSync(file).size - 1) }), response);
  }

  async #export(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const { record, reader } = this.#options.manager.read(id, 1);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Disposition', `attachment; filename="verbslab-${id}.json"`);
    response.setHeader('Cache-Control', 'no-store');
    if (request.method === 'HEAD') response.end();
    else await sendPieces(response, wholeRunJson(record, reader));
  }

  async #exportAs(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    name: string,
  ): Promise<void> {
    const format = exportFormat(name);
    const source = exportSource(this.#options.manager, this.#options.notebook, id);
    const chunks = format.write(source);
    response.setHeader('Content-Type', format.mediaType);
    response.setHeader('Content-Disposition', `attachment; filename="${exportName(source.run, format)}"`);
    response.setHeader('Cache-Control', 'no-store');
    if (request.method === 'HEAD') response.end();
    else await sendPieces(response, chunks);
  }

  async #import(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { security, imports } = this.#options;
    try {
      security.authenticateOwner(request);
      if (request.method !== 'POST') throw notAllowed(request, url, 'POST');
      const again = url.searchParams.get('again') === '1';
      const upload = uploadOf(request, imports.limit, this.#options.uploadIdleMs);
      const run = await imports.take(upload, again);
      response.statusCode = 201;
      sendJson(response, { run });
    } catch (error) {
      hurry(request, DRAIN_MS);
      throw error;
    }
  }

  #answerError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const info = toErrorInfo(error);
    if (response.headersSent || response.destroyed) {
      // A client may disconnect in the middle of a download; any other error is the reason for a cut download.
      if (!response.destroyed || (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
        this.#options.logger.error({ err: error, url: request.url?.split('?')[0] }, 'download broke off');
      response.destroy();
      return;
    }
    if (info.code === 'INTERNAL')
      this.#options.logger.error({ err: error, url: request.url?.split('?')[0] }, 'request failed');
    const status = errorEntry(info.code)?.http ?? 500;
    if (status === 401 || status === 403) this.refused++;
    for (const name of ['Content-Length', 'Content-Disposition', 'ETag']) response.removeHeader(name);
    response.setHeader('Cache-Control', 'no-store');
    if (status === 405)
      response.setHeader('Allow', requestUrl(request).pathname === IMPORT ? 'POST' : 'GET, HEAD');
    if ((request.headers.accept ?? '').includes('text/html')) {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.writeHead(status).end(errorPage(info));
    } else {
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      const also = error instanceof AlreadyHere ? { run: error.run } : {};
      response.writeHead(status).end(JSON.stringify({ error: info, ...also }) + '\n');
    }
  }
}

const notAllowed = ({ method }: IncomingMessage, { pathname }: URL, allowed: string): AppError =>
  new AppError('METHOD_NOT_ALLOWED', { method, path: pathname, allowed });

/** Ends the connection of a request whose body is still arriving after `ms`: nothing reads it any more. */
function hurry(request: IncomingMessage, ms = REQUEST_MS): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, ms);
  request.once('close', () => clearTimeout(timer));
  timer.unref();
}

/** Parses the URL of a request. Throws NOT_FOUND for anything that is no path. */
export function requestUrl(request: IncomingMessage): URL {
  const text = request.url ?? '/';
  if (!text.startsWith('/') || !URL.canParse(text, 'http://agent'))
    throw new AppError('NOT_FOUND', { path: text });
  return new URL(text, 'http://agent');
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(value) + '\n');
}
