import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@verbslab/protocol';
import Negotiator from 'negotiator';
import { agentFolder } from '../config/agent-folder.js';

export const DASHBOARD = join(agentFolder, '../web/out');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
};

/** Hashes of the inline scripts of a page for the CSP: Next boots from such scripts. */
export function scriptHashes(html: string): string[] {
  const hashes = new Set<string>();
  for (const [, attributes, body] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)) {
    if (/\ssrc\s*=/i.test(attributes!)) continue;
    hashes.add(`'sha256-${createHash('sha256').update(body!).digest('base64')}'`);
  }
  return [...hashes];
}

/** Hashes of the inline scripts that a document may run besides its files; null for other kinds of files. */
function inlineScripts(path: string, extension: string): string[] | null {
  if (extension === '.html') return scriptHashes(readFileSync(path, 'utf8'));
  return extension === '.js' ? [] : null;
}

/** The content security policy. Styles may be inline (charts position with them); scripts run from this agent only. */
export function contentSecurityPolicy(hashes: readonly string[], host: string): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...hashes].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ws://${host}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Content codings in the order of preference, with the suffixes that the build of apps/web gives their files. */
const CODINGS = { br: '.br', gzip: '.gz' } as const;
type Coding = keyof typeof CODINGS;
const PREFERRED: readonly Coding[] = ['br', 'gzip'];

/** A file in the form in which it is sent: plain, or in a content coding. */
interface Variant {
  path: string;
  size: number;
  etag: string;
}

interface StaticFile {
  plain: Variant;
  coded: Partial<Record<Coding, Variant>>;
  type: string;
  /** True if the name holds a hash of the content. */
  immutable: boolean;
  /** Script hashes of pages and scripts; null for other files. A worker gets the policy that its script comes with. */
  hashes: string[] | null;
}

function variant(path: string): Variant {
  const { size, mtimeMs } = statSync(path);
  const kind = extname(path).slice(1);
  return { path, size, etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}-${kind}"` };
}

/**
 * True for a file in a content coding beside the plain one: it is sent in place of that and has no address of its own.
 */
function isCoded(name: string, names: ReadonlySet<string>): boolean {
  return Object.values(CODINGS).some(
    (suffix) => name.endsWith(suffix) && names.has(name.slice(0, -suffix.length)),
  );
}

function describe(root: string, name: string): StaticFile {
  const path = join(root, name);
  const extension = extname(name);
  const coded: StaticFile['coded'] = {};
  for (const coding of PREFERRED) {
    if (existsSync(path + CODINGS[coding])) coded[coding] = variant(path + CODINGS[coding]);
  }
  return {
    plain: variant(path),
    coded,
    type: TYPES[extension] ?? 'application/octet-stream',
    immutable: name.startsWith('/_next/static/'),
    hashes: inlineScripts(path, extension),
  };
}

/** The first preferred coding that exists for the file and that the client accepts; null for the plain file. */
function codingFor(request: IncomingMessage, file: StaticFile): Coding | null {
  const accepted = new Negotiator(request).encodings(PREFERRED);
  return PREFERRED.find((coding) => file.coded[coding] && accepted.includes(coding)) ?? null;
}

/** The static export of the dashboard: a fixed table of files, so no path of a request ever reaches the disk. */
export class StaticSite {
  readonly #root: string;
  /** Addresses of the files. */
  #names = new Set<string>();
  /** Files that were requested. */
  readonly #files = new Map<string, StaticFile>();
  #stamp = 0;

  constructor(root: string = DASHBOARD) {
    this.#root = root;
  }

  get present(): boolean {
    return existsSync(join(this.#root, 'index.html'));
  }

  /** Reads the table again after a rebuild of the dashboard. */
  #refresh(): void {
    const index = join(this.#root, 'index.html');
    const stamp = existsSync(index) ? statSync(index).mtimeMs : 0;
    if (stamp === this.#stamp) return;
    this.#names = new Set(stamp === 0 ? [] : this.#walk(''));
    this.#files.clear();
    this.#stamp = stamp;
  }

  /** Lists names only: the first page should not wait for hundreds of files that it does not need. */
  *#walk(folder: string): Generator<string> {
    const entries = readdirSync(join(this.#root, folder), { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      const name = `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#walk(name);
      else if (entry.isFile() && !isCoded(entry.name, names)) yield name;
    }
  }

  #file(name: string): StaticFile | undefined {
    if (!this.#names.has(name)) return undefined;
    let file = this.#files.get(name);
    if (!file) this.#files.set(name, (file = describe(this.#root, name)));
    return file;
  }

  /** Finds a file. `/x` is `x.html`, `/` and `/x/` are `index.html` or `x.html`. Undefined if there is none. */
  find(pathname: string): StaticFile | undefined {
    this.#refresh();
    const plain = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
    if (plain === '/' || plain === '') return this.#file('/index.html');
    return this.#file(plain) ?? this.#file(`${plain}.html`) ?? this.#file(`${plain}/index.html`);
  }

  async serve(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    let file = this.find(pathname);
    let status = 200;
    if (!file) {
      if (!this.present) throw new AppError('NO_DASHBOARD');
      file = this.#file('/404.html');
      if (!file || !(request.headers.accept ?? '').includes('text/html')) {
        throw new AppError('NOT_FOUND', { path: pathname });
      }
      status = 404;
    }
    const coding = codingFor(request, file);
    const { path, size, etag } = (coding && file.coded[coding]) ?? file.plain;
    response.setHeader('Content-Type', file.type);
    response.setHeader('ETag', etag);
    response.setHeader('Vary', 'Accept-Encoding');
    if (coding) response.setHeader('Content-Encoding', coding);
    response.setHeader('Cache-Control', file.immutable ? 'private, max-age=31536000, immutable' : 'no-cache');
    if (file.hashes) {
      response.setHeader(
        'Content-Security-Policy',
        contentSecurityPolicy(file.hashes, request.headers.host ?? ''),
      );
    }
    if (status === 200 && request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return;
    }
    response.setHeader('Content-Length', size);
    response.writeHead(status);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    await pipeline(createReadStream(path), response);
  }
}
