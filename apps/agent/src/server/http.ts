import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AppError,
  errorEntry,
  PROTOCOL_VERSION,
  toErrorInfo,
  type ErrorInfo,
  type Health,
} from '@verbslab/protocol';
import { VERSION } from '../config/version.js';
import type { Logger } from '../log.js';
import type { RunManager } from '../runs/manager.js';
import { exportRun } from './export.js';
import type { Security } from './security.js';
import type { StaticSite } from './static.js';

export interface HttpOptions {
  security: Security;
  manager: RunManager;
  site: StaticSite;
  metrics(): string;
  logger: Logger;
  /** PEM texts: the server speaks TLS with them. */
  tls?: { key: string; cert: string };
}

/** Nothing that this server sends is meant for any other page. */
const HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** What the tables of errors have in backticks is a command. */
const sentence = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const ERROR_STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:64ch;margin:15vh auto;padding:0 16px}
h1{font-size:20px;font-weight:600}
code{font:0.9em ui-monospace,monospace;padding:2px 5px;border-radius:4px;background:light-dark(#f0f0f0,#2a2a2a)}`;

function errorPage({ message, cure }: ErrorInfo): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Verbs Lab</title><style>${ERROR_STYLE}</style></head>
<body><main><p>Verbs Lab</p><h1>${sentence(message)}</h1><p>${sentence(cure)}</p></main></body></html>`;
}

/** The agent’s HTTP side: dashboard, health, metrics, downloads. Reads only; what changes something goes over /ws. */
export class HttpSide {
  readonly server: Server;
  readonly #options: HttpOptions;
  readonly #started = Date.now();
  requests = 0;
  refused = 0;

  constructor(options: HttpOptions) {
    this.#options = options;
    const limits = {
      requestTimeout: 10_000,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
    };
    const { tls } = options;
    this.server = tls
      ? createTlsServer({ ...limits, ...tls, minVersion: 'TLSv1.3', handshakeTimeout: 5_000 })
      : createServer(limits);
    this.server.on('request', (request, response) => void this.#handle(request, response));
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      // Browsers open connections ahead of need. An answer that lies there unasked for would be taken for that of
      // the next request.
      const unused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
      if (unused || !socket.writable) socket.destroy();
      else socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    });
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
    if (!reads) throw new AppError('METHOD_NOT_ALLOWED', { method: request.method, path: url.pathname });
    if (url.pathname === '/api/health') {
      sendJson(response, this.#health());
      return;
    }
    const token = url.searchParams.get('token');
    if (token !== null) {
      this.#logIn(response, url, token);
      return;
    }
    security.authenticate(request);
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
    if (url.pathname.startsWith('/api/') || url.pathname === '/ws') {
      throw new AppError('NOT_FOUND', { path: url.pathname });
    }
    await this.#options.site.serve(request, response, url.pathname);
  }

  #health(): Health {
    return {
      status: 'ok',
      product: 'verbslab',
      version: VERSION,
      protocol: PROTOCOL_VERSION,
      pid: process.pid,
      uptimeSeconds: Math.round((Date.now() - this.#started) / 100) / 10,
    };
  }

  /** Turns the token of the URL into a cookie and takes it out of the address bar and the history. */
  #logIn(response: ServerResponse, url: URL, token: string): void {
    const { security } = this.#options;
    if (!security.isToken(token)) throw new AppError('UNAUTHENTICATED');
    url.searchParams.delete('token');
    response.setHeader('Set-Cookie', security.cookieFor(token));
    response.setHeader('Cache-Control', 'no-store');
    // A path of several leading slashes would be read as another host.
    response.writeHead(303, { Location: `/${url.pathname.replace(/^\/+/, '')}${url.search}` }).end();
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
    else await pipeline(Readable.from(exportRun(record, reader)), response);
  }

  #answerError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const info = toErrorInfo(error);
    // A client that went away in the middle of a download is nobody’s fault.
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    if (info.code === 'INTERNAL')
      this.#options.logger.error({ err: error, url: request.url?.split('?')[0] }, 'request failed');
    const status = errorEntry(info.code)?.http ?? 500;
    if (status === 401 || status === 403) this.refused++;
    for (const name of ['Content-Length', 'Content-Disposition', 'ETag']) response.removeHeader(name);
    response.setHeader('Cache-Control', 'no-store');
    if (status === 405) response.setHeader('Allow', 'GET, HEAD');
    if ((request.headers.accept ?? '').includes('text/html')) {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.writeHead(status).end(errorPage(info));
    } else {
      response.setHeader('Content-Type', 'application/json; charset=utf-8');
      response.writeHead(status).end(JSON.stringify({ error: info }) + '\n');
    }
  }
}

/** Throws NOT_FOUND for what is no path. */
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
