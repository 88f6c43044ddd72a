import { createReadStream, existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join, normalize } from 'node:path';
import type { AddressInfo } from 'node:net';

const ROCE = join(import.meta.dirname, '../../packages/roce/dist');

/** Runs in the browser: fetches a file once, and decodes it each time it is told to. */
const WORKER = `
import { indexCapture } from '/roce/index.js';
let bytes;
const sums = ({ length, original, t, opcode, destQp, psn, syndrome, src }) => {
  const all = { packets: length, bytes: 0, us: 0, opcode: 0, destQp: 0, psn: 0, syndrome: 0, forward: 0 };
  for (let i = 0; i < length; i++) {
    all.bytes += original[i];
    all.us += Math.round(t[i] / 1000);
    all.opcode += opcode[i];
    all.destQp += destQp[i];
    all.psn += psn[i];
    all.syndrome += syndrome[i] === 255 ? 0 : syndrome[i];
    if (src[i] === src[0]) all.forward++;
  }
  return all;
};
onmessage = async ({ data }) => {
  if (data.url) {
    bytes = new Uint8Array(await (await fetch(data.url)).arrayBuffer());
    return postMessage({});
  }
  const began = performance.now();
  const { columns } = indexCapture(bytes);
  const ms = performance.now() - began;
  postMessage({ ms, packets: columns.length, ...(data.sums ? { sums: sums(columns) } : {}) });
};`;

const PAGE = `<!doctype html><title>decode</title><script>
const worker = new Worker('/worker.js', { type: 'module' });
const ask = (message) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (e) => reject(new Error(e.message || 'the worker could not be loaded'));
  worker.postMessage(message);
});
</script><main></main>`;

/** A page with a worker that has packages/roce as it was built, and the captures of a folder. */
export async function serve(captures: string): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const path = normalize(request.url ?? '/');
    const send = (type: string, body: string) => response.setHeader('content-type', type).end(body);
    if (path === '/') return send('text/html', PAGE);
    if (path === '/worker.js') return send('text/javascript', WORKER);
    const file = path.startsWith('/roce/') ? join(ROCE, path.slice('/roce/'.length)) : join(captures, path);
    if (!existsSync(file)) return response.writeHead(404).end();
    if (file.endsWith('.js')) response.setHeader('content-type', 'text/javascript');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
