/** Programs that get stuck: `exec` says what they wait for, while they do and when they are ended. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suiteAgent } from './agent.js';
import { able, Programs } from './compile.js';
import { start, untilPrinted } from './run.js';

/** What each case of programs/stuck.c is said to wait for, and where in the program. */
const CASES: Record<string, { says: RegExp; where?: string; cure: string }> = {
  'no-receive': {
    says: /Stuck .*: SEND \(wr_id 3\) on QP (0x\w+) waits for a receive on QP 0x\w+ \(3 posted, none left\)/,
    where: 'The latest receive was posted by post_recv, stuck.c:',
    cure: 'Post a receive on QP 0x',
  },
  unpolled: {
    says: /No progress .*: CQ 1 holds 3 completions that the program has not polled, the first of wr_id 0 on QP 0x\w+ \(SUCCESS\)/,
    cure: 'Poll the CQ until it is empty.',
  },
  'armed-late': {
    says: /No progress .*: CQ 2 holds 1 completion that the program has not polled, the first of wr_id 900/,
    cure: 'After ibv_req_notify_cq, poll the CQ',
  },
  solicited: {
    says: /No progress .*: CQ 2 holds 1 completion/,
    cure: 'IBV_SEND_SOLICITED',
  },
  untaken: {
    says: /No progress .*: CQ 2 holds 1 completion/,
    cure: 'Take the event with ibv_get_cq_event',
  },
  full: {
    says: /Stuck .*: QP 0x\w+ takes no more requests: 8 of 8 entries of its send queue .* unsignaled/,
    cure: 'Set IBV_SEND_SIGNALED',
  },
  'full-unpolled': {
    says: /No progress .*: CQ 1 holds 8 completions/,
    cure: 'Poll the CQ until it is empty.',
  },
  'no-timeout': {
    says: /Stuck .*: WRITE \(wr_id 5\) on QP 0x\w+ waits for an acknowledgment from QP 0x\w+: it is in state ERR/,
    where: 'The request was posted by try_send, stuck.c:',
    cure: 'Set timeout of ibv_modify_qp to 1 or more',
  },
  'in-error': {
    says: /No progress .*: QP 0x\w+ is in ERR: .*; wr_id 6 failed with REM_ACCESS_ERR/,
    cure: 'Check the status of every completion.',
  },
  unacknowledged: {
    says: /Stuck .*: ibv_destroy_cq waits until the program acknowledges 1 event with ibv_ack_cq_events/,
    where: 'It was called by unacknowledged, stuck.c:',
    cure: 'Call ibv_ack_cq_events for every event that you get.',
  },
  'stopped-peer': {
    says: /Stuck .*: WRITE \(wr_id 7\) on QP 0x\w+ waits for an acknowledgment from QP 0x\w+: its process, pid \d+, is stopped/,
    cure: 'kill -CONT',
  },
  'gone-peer': {
    // A process that is killed in its first moments has told nothing of itself.
    says: /Stuck .*: WRITE \(wr_id 7\) on QP 0x\w+ waits for an acknowledgment from QP 0x\w+: (its process \(pid \d+\) has ended|no process of this user)/,
    cure: 'ind out why',
  },
};

interface Shown {
  standstill: { what: string; more: string[]; ruledOut: string[] } | null;
}

describe.skipIf(!able)('a program that is stuck', () => {
  const programs = new Programs();
  const { home, runs } = suiteAgent();
  let program = '';
  beforeAll(() => {
    program = programs.compile('stuck', ['-g', '-O0']);
  });
  afterAll(() => programs.remove());

  const show = async (output: string): Promise<{ json: Shown; text: string }> => {
    const number = /^verbslab: Run (\d+): http\S+\/runs\/view\?id=\w+$/m.exec(output)![1]!;
    return {
      json: JSON.parse(await runs('show', number, '--json')) as Shown,
      text: await runs('show', number),
    };
  };

  it.concurrent.each(Object.entries(CASES))(
    '(%s) is told so, with the cause and the cure',
    async (name, expected) => {
      const running = start(program, [name], { exec: ['--stuck-after', '1.5'], home });
      let live: string;
      try {
        await untilPrinted(running, expected.cure);
        live = running.printed();
      } finally {
        running.child.kill('SIGTERM');
      }
      const { output } = await running.finished;
      expect(live).toMatch(expected.says);
      if (expected.where !== undefined) expect(live).toContain(expected.where);
      // Once for one reason.
      expect(output.match(/^verbslab: (Stuck|No progress) for [\d.]+ s: /gm), output).toHaveLength(1);
      expect(output).toMatch(/^verbslab: (Stuck|No progress) for [\d.]+ s when it ended: /m);
      const { json, text } = await show(output);
      expect(`${json.standstill?.what} `).toMatch(expected.says);
      expect(json.standstill!.more.join(' ')).toContain(expected.cure);
      expect(text).toContain(json.standstill!.what);
    },
  );

  it('is told nothing if its receives wait for a peer that lives', async () => {
    const running = start(program, ['receive'], { exec: ['--stuck-after', '0.2'], home });
    const full = start(program, ['full'], { exec: ['--stuck-after', '3'], home });
    // By then the first one has stood still for longer.
    await untilPrinted(full, 'Stuck for');
    full.child.kill('SIGTERM');
    running.child.kill('SIGTERM');
    await full.finished;
    const { output } = await running.finished;
    expect(output).not.toMatch(/Stuck|No progress|Waiting/);
    expect((await show(output)).json.standstill).toBeNull();
  });
});
