/** The misuse report of real programs: nothing for those that do as they should, and what they truly leave for others. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { installed, pair, start } from './run.js';

const dir = mkdtempSync(join(tmpdir(), 'uroce-report-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Report {
  schema: string;
  program: string;
  pid: number;
  findings: { id: string; call: string; object: { kind: string }; count: number; cure: string }[];
}

/** The reports that the processes of one run wrote into a folder of their own. */
function reportsOf(name: string): Report[] {
  return readdirSync(dir)
    .filter((file) => file.startsWith(`${name}-`))
    .map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as Report);
}

const runs = [
  { name: 'polled', program: 'ibv_rc_pingpong', args: ['-g', '1', '-n', '100'] },
  { name: 'events', program: 'ibv_rc_pingpong', args: ['-g', '1', '-n', '100', '-e'] },
  { name: 'srq', program: 'ibv_srq_pingpong', args: ['-g', '1', '-n', '100'] },
  { name: 'write', program: 'ib_write_bw', args: ['-x', '1', '-n', '1000'] },
  { name: 'read', program: 'ib_read_lat', args: ['-x', '1', '-n', '200'] },
];

describe.each(runs)('$program ($name)', ({ name, program, args }) => {
  it.skipIf(!installed(program))('gives no cause for a finding', { timeout: 60_000 }, async () => {
    const env = { UROCE_REPORT: `json:${join(dir, `${name}-%p`)}` };
    const { server, client } = await pair(program, args, { env });
    expect([server.code, client.code], server.output + client.output).toEqual([0, 0]);
    const reports = reportsOf(name);
    expect(reports.map((report) => report.schema)).toEqual(['uroce-report/1', 'uroce-report/1']);
    expect(reports.flatMap((report) => report.findings)).toEqual([]);
  });
});

it.skipIf(!installed('ibv_devinfo'))('says on stderr that there is nothing', async () => {
  const { code, output } = await start('ibv_devinfo', [], { env: { UROCE_REPORT: 'text' } }).finished;
  expect(code).toBe(0);
  expect(output).toMatch(/^uroce report: ibv_devinfo \(pid \d+\): no findings$/m);
});
