/** The misuse report of real programs: empty for correct programs, and complete for objects that are left to others. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { installed, pair, start, untilPrinted, type Outcome } from './run.js';

const dir = mkdtempSync(join(tmpdir(), 'uroce-report-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Report {
  schema: string;
  program: string;
  pid: number;
  findings: { id: string; call: string; object: { kind: string }; count: number; cure: string }[];
}

/** Reports that the processes of one run wrote into a folder. */
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
  it.skipIf(!installed(program))('gives no cause for a finding', async () => {
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

describe.skipIf(!able)('a program that is killed', () => {
  const programs = new Programs();
  let killed = '';
  beforeAll(() => {
    killed = programs.compile('killed');
  });
  afterAll(() => {
    programs.remove();
  });

  const ALIVE = 'Alive at its end: 1 context, 1 PD, 1 MR, 2 CQs, 2 QPs, 1 completion channel.';

  /** Kills the program `afterMs` after it has printed that it waits. */
  async function kill(
    way: string,
    signal: NodeJS.Signals,
    { exec = false, afterMs = 0 } = {},
  ): Promise<Outcome> {
    const running = start(killed, [way], {
      ...(exec ? { exec: ['--report'] } : { env: { UROCE_REPORT: 'text' } }),
    });
    await untilPrinted(running, 'ready');
    await new Promise((resume) => setTimeout(resume, afterMs));
    running.child.kill(signal);
    return running.finished;
  }

  it.each([
    ['wrong-state', 'SIGINT'],
    ['wrong-state', 'SIGHUP'],
    ['restored', 'SIGTERM'],
    ['spin', 'SIGINT'],
    ['spin', 'SIGTERM'],
  ] as const)('(%s) reports after %s, and ends by it', async (way, by) => {
    const { code, signal, output } = await kill(way, by);
    expect([code, signal], output).toEqual([null, by]);
    expect(output).toMatch(
      new RegExp(String.raw`^uroce report: killed \(pid \d+\), ended by ${by}: 1 finding$`, 'm'),
    );
    expect(output).toContain('post-wrong-state: QP 0x');
    expect(output).toContain(ALIVE);
    expect(output).not.toContain('object-leaked');
  });

  it.each([
    ['segv', 'SIGSEGV'],
    ['overflow', 'SIGSEGV'],
    ['abort', 'SIGABRT'],
  ])('reports after %s, in JSON too', async (way, by) => {
    const env = { UROCE_REPORT: `json:${join(dir, `${way}-%p`)}` };
    const { code, signal, output } = await start(killed, [way], { env }).finished;
    expect([code, signal], output).toEqual([null, by]);
    const [report] = reportsOf(way) as (Report & { endedBy: string; alive: unknown })[];
    expect(report).toMatchObject({ schema: 'uroce-report/1', endedBy: by });
    expect(report!.findings.map(({ id }) => id)).toEqual(['post-wrong-state']);
    expect(report!.alive).toContainEqual({ kind: 'QP', count: 2 });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('reports under exec, which got %s', async (by) => {
    const { signal, output } = await kill('wrong-state', by, { exec: true });
    expect(signal, output).toBe(by);
    expect(output.match(/^uroce report: /gm), output).toHaveLength(1);
    expect(output).toContain(`ended by ${by}: 1 finding`);
  });

  it('leaves what the report had to exec when nothing in it can run any more', async () => {
    const running = start(killed, ['wrong-state'], { exec: ['--report'] });
    await untilPrinted(running, 'ready');
    const pid = childOf(running.child.pid!);
    // A second is later than the draft: the report is as of shortly before.
    await new Promise((resume) => setTimeout(resume, 1_000));
    process.kill(pid, 'SIGKILL');
    const { signal, output } = await running.finished;
    expect(signal, output).toBe('SIGKILL');
    expect(output).toMatch(
      new RegExp(
        String.raw`^uroce report: killed \(pid ${pid}\), end not seen: as of shortly before: 1 finding$`,
        'm',
      ),
    );
    expect(output).toContain('post-wrong-state: QP 0x');
    expect(output).toContain(ALIVE);
  });

  it('leaves nothing when it becomes another program, which is not its end by force', async () => {
    const { code, output } = await start(killed, ['exec'], { exec: ['--report'] }).finished;
    expect(code, output).toBe(0);
    expect(output).toContain('another');
    expect(output).not.toContain('uroce report');
  });

  // The programs wait for a second, and for two in a destroy call: after less the program may be correct.
  it.each([
    [
      'late-arm',
      'completion-unpolled',
      'ibv_req_notify_cq came after them, so they raise no event',
      'poll the CQ until it is empty before you wait in ibv_get_cq_event',
    ],
    [
      'solicited',
      'completion-unpolled',
      'asked for solicited completions only, and these are others or came before it',
      'IBV_SEND_SOLICITED',
    ],
    ['unpolled', 'completion-unpolled', 'of QP 0x', 'Poll this CQ until it is empty.'],
    ['no-receive', 'storm-received', 'the peer had no receive posted', 'Have the peer post more receives'],
  ])('says what it waited for: %s', async (way, id, detail, cure) => {
    const { output } = await kill(way, 'SIGINT', { afterMs: 1_500 });
    expect(output).toContain(id);
    expect(output).toContain(detail);
    expect(output).toContain(cure);
  });

  it('says that a destroy call waits while it does', async () => {
    const running = start(killed, ['unacknowledged'], { env: { UROCE_REPORT: 'text' } });
    await untilPrinted(running, 'uroce: ibv_destroy_cq has waited 2 s');
    running.child.kill('SIGTERM');
    const { output } = await running.finished;
    expect(output).toContain('destroy-waits: ibv_destroy_cq has waited 2 s');
    expect(output).toContain('Call ibv_ack_cq_events once for every event that you get.');
  });
});

/** The only child of a process. */
const childOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
