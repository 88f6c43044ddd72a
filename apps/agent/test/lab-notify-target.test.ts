import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, outcomes, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

const SHORT = { messages: 10, repeat: 2 };

describe('notifying the target', () => {
  it('costs a polling server the pauses, and a sleeping one not', async () => {
    const lab = await runLab('notify-target', { ...SHORT, repeat: 5, pause: 20 });
    const { 'memory-cpu': polling, 'sleep-cpu': asleep } = figures(lab);
    expect(asleep).toBeLessThan(polling! / 2);
    expect(outcomes(lab).cpu).toBe('less');
  });

  it('takes messages that are no multiple of 8', async () => {
    const lab = await runLab('notify-target', { ...SHORT, repeat: 1, size: 1001, pause: 0 });
    expect(unmet(lab)).toEqual([]);
  });

  it('fails where the WRITE carries an immediate', async () => {
    let first = true;
    const receive = meddle('server', 'qpLink', async (args, endpoint) => {
      if (first) await endpoint.call('postRecv', { qp: args.qp, wr: {} });
      first = false;
      return args;
    });
    const immediate = meddle('client', 'postSend', (args) => ({
      ...args,
      wr: { ...args.wr, opcode: 'RDMA_WRITE_WITH_IMM', imm: 1 },
    }));
    expect(await unmetUnder([receive, immediate], 'notify-target', SHORT)).toEqual(['silent']);
  });
});
