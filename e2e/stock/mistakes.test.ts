/** Programs with the mistakes of tutorials, under exec: the report and the run name each cause once. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suiteAgent } from './agent.js';
import { able, Programs } from './compile.js';
import { start } from './run.js';

const dir = mkdtempSync(join(tmpdir(), 'uroce-mistakes-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Report {
  findings: { id: string; count: number; detail: string; cure: string }[];
}

/** Reports that the processes of one run wrote into a folder. */
function reportsIn(folder: string): Report[] {
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Report);
}

interface Mistake {
  id: string;
  /** A part of the texts of the report and of the run. */
  why: string;
  count?: number;
}

const MISTAKES: Readonly<Record<string, readonly Mistake[]>> = {
  calls: [
    { id: 'call-refused', why: 'ah_attr.is_global is 0: RoCE has no LIDs' },
    { id: 'call-refused', why: 'grh.sgid_index is 3, and that entry of the GID table is empty' },
    { id: 'call-refused', why: 'grh.dgid is an IPv4 address and the GID at sgid_index 0 is an IPv6 address' },
    { id: 'call-refused', why: 'grh.dgid is all zero' },
    { id: 'call-refused', why: 'ah_attr.port_num is 0' },
    { id: 'call-refused', why: 'the step from INIT to RTR also needs min_rnr_timer (IBV_QP_MIN_RNR_TIMER)' },
    { id: 'call-refused', why: 'path_mtu is 1024, which is no value of enum ibv_mtu' },
    { id: 'call-refused', why: 'RC QPs do not go from INIT to RTS in one step' },
    { id: 'call-refused', why: 'max_dest_rd_atomic is 200, more than the device' },
    { id: 'post-invalid', why: 'the WR has 65 bytes inline, and the QP was created for 64' },
    { id: 'sge-outside-mr', why: 'SGE 0: 2147483648 bytes' },
    { id: 'post-invalid', why: 'the message has 2147483648 bytes, more than the port' },
  ],
  messages: [
    { id: 'message-dropped', why: 'wr_id 1, holds 64 bytes, and 40 of them are for the GRH' },
    { id: 'message-dropped', why: 'it has Q_Key 0x00000005, and the QP expects 0x11111111' },
    {
      id: 'message-dropped',
      why: 'SEND of 5000 bytes, which completed with success: it is longer than the MTU',
    },
    { id: 'message-dropped', why: 'this process has no such QP' },
    {
      id: 'message-dropped',
      why: 'names no memory region of this process, and these bytes are in MR',
      count: 3,
    },
  ],
  hidden: [
    { id: 'psn-mismatch', why: 'its rq_psn 1 is beyond the peer' },
    { id: 'psn-mismatch', why: 'as a duplicate and did not execute it (MSN 0)' },
    { id: 'rnr-storm-sent', why: 'the peer sent before a receive was posted', count: Infinity },
    { id: 'rnr-storm-received', why: 'the peer had no receive posted', count: Infinity },
  ],
};

/** Findings that both ends report. Each is one problem of the run. */
const BOTH_ENDS = ['psn-mismatch', 'rnr-storm-sent', 'rnr-storm-received'];

describe.skipIf(!able)('a program with mistakes', () => {
  const programs = new Programs();
  const { home, runs } = suiteAgent();
  let program = '';
  beforeAll(() => {
    program = programs.compile('causes', ['-g']);
  });
  afterAll(() => programs.remove());

  it.each(Object.entries(MISTAKES))(
    '(%s) is told each cause, once, in its report and its run',
    async (kind, all) => {
      // A retry has a folder of its own.
      const folder = mkdtempSync(join(dir, kind));
      const setting = `json:${join(folder, '%p')}`;
      const { code, output } = await start(program, [kind], {
        exec: true,
        home,
        env: { UROCE_REPORT: setting },
      }).finished;
      expect(code, output).toBe(0);
      const findings = reportsIn(folder).flatMap((report) => report.findings);
      expect(findings).toHaveLength(all.length);
      for (const { id, why, count = 1 } of all) {
        const [found, ...more] = findings.filter((one) => one.id === id && one.detail.includes(why));
        expect(found, why).toBeDefined();
        expect(more, why).toEqual([]);
        if (count === Infinity) expect(found!.count).toBeGreaterThan(32);
        else expect(found!.count, why).toBe(count);
        expect(found!.cure, why).not.toBe('');
      }

      const list = JSON.parse(await runs('--json')) as { runs: { number: number; title: string }[] };
      const number = String(list.runs.find(({ title }) => title.endsWith(kind))!.number);
      const shown = JSON.parse(await runs('show', number, '--json')) as {
        run: { result: { problems: number } };
        problems: { what: string; more: string[] }[];
      };
      expect(shown.problems).toHaveLength(shown.run.result.problems);
      const text = await runs('show', number);
      for (const { what } of shown.problems) expect(text).toContain(what);
      const tellsOf = ({ why }: Mistake) =>
        shown.problems.filter(({ what, more }) => [what, ...more].join(' ').includes(why));
      for (const one of all.filter(({ id }) => !BOTH_ENDS.includes(id)))
        expect(tellsOf(one), one.why).toHaveLength(1);
      const mismatch = all.filter(({ id }) => id === 'psn-mismatch');
      if (mismatch.length > 0) expect(mismatch.flatMap(tellsOf)).toHaveLength(1);
    },
  );
});
