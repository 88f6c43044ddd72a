import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { get, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, scriptHashes, StaticSite } from '../src/server/static.js';
import { newHome, testAgent } from './helpers/agent.js';

const script = 'self.__next_f=[];';
const page = `<!doctype html><script src="/_next/static/a.js"></script><script>${script}</script><p>Hello`;

/** A small export as Next lays it out. */
function site(): { root: string; site: StaticSite } {
  const root = newHome();
  mkdirSync(join(root, '_next/static'), { recursive: true });
  mkdirSync(join(root, 'runs'));
  writeFileSync(join(root, 'index.html'), page);
  writeFileSync(join(root, 'runs.html'), page.replace('Hello', 'Runs'));
  writeFileSync(join(root, 'runs/view.html'), page.replace('Hello', 'View'));
  writeFileSync(join(root, 'runs.txt'), 'payload');
  writeFileSync(join(root, '404.html'), page.replace('Hello', 'Nothing here'));
  writeFileSync(join(root, '_next/static/a.js'), 'export {}');
  writeFileSync(join(root, 'font.woff2'), 'font');
  return { root, site: new StaticSite(root) };
}

/** A response as received on the socket: `fetch` would decode it, and asks for codings by itself. */
function raw(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }),
      );
    }).on('error', reject);
  });
}

describe('the dashboard', () => {
  it('is found as a static export is laid out', async () => {
    const { agent } = await testAgent({ site: site().site });
    const headers = { authorization: `Bearer ${agent.token}`, accept: 'text/html,*/*' };
    const get = (path: string): Promise<Response> => fetch(`${agent.url}${path}`, { headers });
    const expected: [string, number, string, string][] = [
      ['/', 200, 'text/html; charset=utf-8', 'Hello'],
      ['/?lab=bulk', 200, 'text/html; charset=utf-8', 'Hello'],
      ['/runs', 200, 'text/html; charset=utf-8', 'Runs'],
      ['/runs/', 200, 'text/html; charset=utf-8', 'Runs'],
      ['/runs/view?id=1', 200, 'text/html; charset=utf-8', 'View'],
      ['/runs.txt?_rsc=1', 200, 'text/plain; charset=utf-8', 'payload'],
      ['/_next/static/a.js', 200, 'text/javascript; charset=utf-8', 'export'],
      ['/font.woff2', 200, 'font/woff2', 'font'],
      ['/nowhere', 404, 'text/html; charset=utf-8', 'Nothing here'],
    ];
    for (const [path, status, type, text] of expected) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, status, type]);
      expect(await answer.text()).toContain(text);
    }
    expect((await get('/_next/static/a.js')).headers.get('cache-control')).toContain('immutable');
    expect((await get('/runs')).headers.get('cache-control')).toBe('no-cache');
  });

  it('is sent again only when it changed', async () => {
    const { agent } = await testAgent({ site: site().site });
    const headers = { authorization: `Bearer ${agent.token}` };
    const etag = (await fetch(`${agent.url}/`, { headers })).headers.get('etag')!;
    const again = await fetch(`${agent.url}/`, { headers: { ...headers, 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  it('is sent in a content coding that the client takes, each with a tag of its own', async () => {
    const { root, site: built } = site();
    const text = 'export {}'.repeat(100);
    const file = join(root, '_next/static/b.js');
    writeFileSync(file, text);
    writeFileSync(`${file}.br`, brotliCompressSync(text));
    writeFileSync(`${file}.gz`, gzipSync(text));
    const { agent } = await testAgent({ site: built });
    const ask = (accept: string | undefined, path = '/_next/static/b.js') =>
      raw(`${agent.url}${path}`, {
        authorization: `Bearer ${agent.token}`,
        ...(accept === undefined ? {} : { 'accept-encoding': accept }),
      });
    const tags = new Set<string>();
    const decoded = { br: brotliDecompressSync, gzip: gunzipSync, plain: (body: Buffer) => body };
    const cases: [string | undefined, keyof typeof decoded][] = [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['zstd', 'plain'],
      ['identity', 'plain'],
      [undefined, 'plain'],
    ];
    for (const [accept, coding] of cases) {
      const { headers, body } = await ask(accept);
      expect([accept, headers['content-encoding'] ?? 'plain']).toEqual([accept, coding]);
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(headers['vary']).toBe('Accept-Encoding');
      expect(Number(headers['content-length'])).toBe(body.length);
      expect(decoded[coding](body).toString()).toBe(text);
      tags.add(headers['etag']!);
    }
    expect(tags.size).toBe(3);
    expect((await ask('br', '/_next/static/a.js')).headers['content-encoding']).toBeUndefined();
    expect((await ask('br', '/_next/static/b.js.br')).status).toBe(404);
  });

  it('lets its own inline scripts run and no others', async () => {
    const { agent } = await testAgent({ site: site().site });
    const answer = await fetch(`${agent.url}/`, { headers: { authorization: `Bearer ${agent.token}` } });
    const policy = answer.headers.get('content-security-policy')!;
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}'`);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
    expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${agent.port}`);
    expect(policy).toContain("default-src 'none'");
  });

  it('lets a worker load the other scripts and connect, as its page may', async () => {
    const { agent } = await testAgent({ site: site().site });
    const headers = { authorization: `Bearer ${agent.token}` };
    const answer = await fetch(`${agent.url}/_next/static/a.js`, { headers });
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${agent.port}`);
    expect(policy).toContain("default-src 'none'");
  });

  it('hashes what is between the tags, and only inline scripts', () => {
    expect(scriptHashes('<script src=x></script><script async>a</script><script>a</script>')).toHaveLength(1);
    expect(scriptHashes('<script type="application/json">\n{}\n</script>')).toHaveLength(1);
    expect(contentSecurityPolicy([], 'h')).toContain("script-src 'self';");
  });

  it('serves nothing outside its folder', async () => {
    const { root, site: served } = site();
    symlinkSync('/etc/passwd', join(root, 'secret.txt'));
    const { agent } = await testAgent({ site: served });
    const headers = { authorization: `Bearer ${agent.token}` };
    for (const path of [
      '/secret.txt',
      '/..%2f..%2fetc%2fpasswd',
      '/%2e%2e/etc/passwd',
      '/runs/../../etc/passwd',
    ]) {
      const answer = await fetch(`${agent.url}${path}`, { headers });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it('is loaded again after a new build', async () => {
    const { root, site: served } = site();
    const { agent } = await testAgent({ site: served });
    const headers = { authorization: `Bearer ${agent.token}` };
    expect((await fetch(`${agent.url}/new`, { headers })).status).toBe(404);
    writeFileSync(join(root, 'new.html'), page);
    writeFileSync(join(root, 'index.html'), page.replace('Hello', 'Hello again'));
    utimesSync(join(root, 'index.html'), new Date(), new Date(Date.now() + 5000));
    expect((await fetch(`${agent.url}/new`, { headers })).status).toBe(200);
    expect(await (await fetch(`${agent.url}/`, { headers })).text()).toContain('Hello again');
  });

  it('says how to build it when it is missing', async () => {
    const { agent } = await testAgent({ site: new StaticSite(newHome()) });
    const answer = await fetch(`${agent.url}/`, {
      headers: { authorization: `Bearer ${agent.token}`, accept: 'text/html' },
    });
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('The dashboard is not built.');
  });
});
