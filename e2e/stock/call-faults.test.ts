/** Calls that fail on purpose: by `--fault-rule fail:…`, and by UROCE_CALL_FAULTS as the device reads it. */
import { afterAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { start } from './run.js';

const programs = new Programs();
afterAll(() => {
  programs.remove();
});

interface Report {
  endedBy?: string;
  injected?: { call: string; error: string; count: number }[];
  findings: { id: string }[];
}

describe.skipIf(!able)('a call that fails on purpose', () => {
  const play = (rules: string, report = 'json') =>
    start(programs.compile('planted', ['-g']), ['right'], {
      env: { UROCE_CALL_FAULTS: rules, UROCE_REPORT: report },
      timeoutMs: 60_000,
    }).finished;
  const reportIn = (output: string) => JSON.parse(/^\{.*\}$/m.exec(output)![0]) as Report;

  it('has its errno, is said once, and is counted apart from misuse', async () => {
    const { code, output } = await play('fail:call=ibv_post_send,errno=EIO,nth=3');
    expect(output).toMatch(
      /^uroce: ibv_post_send failed \(EIO\): rule 1 of the injected faults fails it \(call 3 that the rule is about\)\./m,
    );
    const { injected, findings } = reportIn(output);
    expect(injected).toEqual([{ call: 'ibv_post_send', error: 'EIO', count: 1 }]);
    expect(findings.map(({ id }) => id).filter((id) => id !== 'object-leaked')).toEqual([]);
    expect(code).toBe(9);
    const text = await play('fail:call=ibv_post_send,errno=EIO,nth=3', 'text');
    expect(text.output).toContain('\nInjected: ibv_post_send failed with EIO, 1 time.\n');
  });

  it('may crash a program that does not look, and the report says so', async () => {
    const { signal, output } = await play('fail:call=ibv_reg_mr');
    expect(signal).toBe('SIGSEGV');
    expect(reportIn(output)).toMatchObject({
      endedBy: 'SIGSEGV',
      injected: [{ call: 'ibv_reg_mr', error: 'ENOMEM', count: 1 }],
    });
  });

  it.each([
    ['fail:call=ibv_reg_mr,over=65535', 1],
    ['fail:call=ibv_reg_mr,over=65536', 0],
    ['fail:call=ibv_create_qp,nth=2', 1],
    ['fail:call=ibv_create_qp,nth=3', 0],
    ['fail:call=ibv_modify_qp,errno=EINVAL,times=1', 1],
    ['fail:call=ibv_alloc_mw;fail:call=ibv_create_cq,errno=ENOSPC', 1],
  ])('with %s it is failed %i times', async (rules, times) => {
    const { output } = await play(rules);
    const { injected = [] } = reportIn(output);
    expect(injected.reduce((sum, { count }) => sum + count, 0)).toBe(times);
  });

  it('by chance is the same one each time, and another with another seed', async () => {
    const failedBy = async (seed: number): Promise<string> => {
      const { output } = await play(`fail:call=ibv_post_send,probability=0.05,seed=${seed}`);
      return /\(call \d+ that/.exec(output)?.[0] ?? 'none';
    };
    const first = await Promise.all([1, 2, 3, 4].map(failedBy));
    expect(await Promise.all([1, 2, 3, 4].map(failedBy))).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(1);
  });

  it.each([
    ['drop:psn=5', 'drop:psn=5'],
    ['fail:call=ibv_poll_cq', 'call=ibv_poll_cq'],
    ['fail:call=ibv_reg_mr,errno=5', 'errno=5'],
    ['fail:call=ibv_reg_mr,nth=0', 'nth=0'],
    ['fail:call=ibv_reg_mr,probability=2', 'probability=2'],
    ['fail:call=ibv_reg_mr,over=99999999999999999999', 'over=99999999999999999999'],
    ['fail:errno=EIO', 'fail:errno=EIO'],
    ['fail:call=ibv_reg_mr;', ';'],
  ])('is not injected by %s: the device does not open, and names the word', async (rules, word) => {
    const { output } = await play(rules);
    expect(output).toContain(`uroce: UROCE_CALL_FAULTS has no rule like "${word}".`);
    expect(output).toContain('g_context != NULL is not true');
  });

  it('is asked for by exec, without an agent, and refused in a sentence', async () => {
    const program = programs.compile('planted', ['-g']);
    const asked = (rule: string) =>
      start(program, ['right'], { exec: ['--fault-rule', rule], timeoutMs: 60_000 }).finished;
    const { code, output } = await asked('fail:call=ibv_create_cq,errno=ENOSPC,nth=2');
    expect(output).toContain('uroce: ibv_create_cq failed (ENOSPC): rule 1 of the injected faults fails it');
    expect(code).not.toBe(0);
    for (const [rule, told] of [
      ['fail:call=ibv_poll_cq', /“call=ibv_poll_cq” is not valid\.\n.*ibv_reg_mr, /],
      ['fail:call=ibv_reg_mr,errno=EWHAT', /“errno=EWHAT” is not valid\.\n.*ENOMEM/],
      ['fail:call=ibv_modify_qp,over=1MiB', /over for ibv_reg_mr only/],
      ['fail:call=ibv_reg_mr,probability=0%', /above 0%/],
      ['fail:nth=2', /“fail:nth=2” is not valid/],
    ] as const) {
      const refused = await asked(rule);
      expect(refused.code).toBe(2);
      expect(refused.output).toMatch(told);
    }
  });
});
