/** Libraries above verbs from the distribution's packages, each used by a program of this suite, on both links. */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Programs } from './compile.js';
import { installed, nextPort, start, untilListening } from './run.js';

/** Folder that programs of any user can read. */
const folder = mkdtempSync(join(tmpdir(), 'verbs-libraries-'));
chmodSync(folder, 0o755);
const programs = new Programs();
afterAll(() => {
  programs.remove();
  rmSync(folder, { recursive: true });
});

const PATIENCE = 60_000;
const over = (link: string) => ({
  ordinaryUser: true,
  exec: ['--link', link],
  cwd: '/',
  timeoutMs: PATIENCE - 10_000,
});

const header = (path: string) => existsSync(join('/usr/include', path));
const hasRpma = header('librpma.h');
const hasGloo = header('gloo/transport/ibverbs/device.h');
const hasDapl = installed('dtestx');
const missing = [
  ...(hasRpma ? [] : ['librpma-dev']),
  ...(hasGloo ? [] : ['libgloo-dev']),
  ...(hasDapl ? [] : ['dapl2-utils']),
];
if (missing.length > 0) console.warn(`skipped, since not installed (apt install ${missing.join(' ')})`);

describe.skipIf(!hasRpma)('librpma', () => {
  it.each(['shm', 'udp'])('writes, flushes, reads and sends over %s', { timeout: PATIENCE }, async (link) => {
    const binary = programs.compile('rpma', [], ['-lrpma', '-libverbs']);
    const { code, output } = await start(binary, [String(nextPort())], over(link)).finished;
    expect(code, output).toBe(0);
    expect(output).toBe('all of it is right\n');
  });
});

describe.skipIf(!hasGloo)('Gloo', () => {
  let binary = '';
  const reductions = ['shm', 'udp'].flatMap((link) => [1, 1000, 300_000].map((count) => ({ link, count })));
  it.each(reductions)('reduces $count numbers over $link', { timeout: PATIENCE }, async ({ link, count }) => {
    // Gloo's headers have warnings.
    binary ||= programs.compile('gloo.cc', ['-std=c++17', '-w'], ['-lgloo', '-libverbs']);
    const meeting = mkdtempSync(join(folder, 'ranks-'));
    chmodSync(meeting, 0o777);
    const { code, output } = await start(binary, [meeting, String(count)], over(link)).finished;
    expect(code, output).toBe(0);
    expect(output).toBe('4 of 4 ranks are right\n');
  });
});

/** TCP port on which the two ends exchange their addresses. */
const DAPL_PORT = 15_828;

describe.skipIf(!hasDapl)('DAPL', () => {
  it.each(['shm', 'udp'])('dtestx passes over %s', { timeout: PATIENCE }, async (link) => {
    const registry = join(folder, 'dat.conf');
    writeFileSync(registry, 'lab u2.0 nonthreadsafe default libdaplofa.so.2 dapl.2.0 "lo 0" ""\n');
    const options = { ...over(link), env: { DAT_OVERRIDE: registry } };
    const server = start('dtestx', ['-P', 'lab'], options);
    await untilListening(server, DAPL_PORT);
    const client = await start('dtestx', ['-P', 'lab', '-h', '127.0.0.1'], options).finished;
    for (const { code, output } of [await server.finished, client]) {
      expect(code, output).toBe(0);
      expect(output).toMatch(/PASSED\n*$/);
      expect(output).not.toMatch(/FAIL/i);
    }
  });
});
