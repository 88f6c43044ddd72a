import { describe, expect, it } from 'vitest';
import { meddle } from './endpoint-harness.js';
import { figures, LINKS, outcomes, rows, runLab, unmet, unmetUnder } from './helpers/lab-run.js';

const SHORT = { messages: 10, repeat: 2 };

describe('notifying the target', () => {
  it.each(LINKS)('measures six ways after a WRITE that tells nothing (link %s)', async (link) => {
    const lab = await runLab('notify-target', { ...SHORT, link });
    expect(unmet(lab)).toEqual([]);
    expect(lab.checks.map(({ id }) => id)).toEqual(['ack', 'silent', 'whole']);
    expect(outcomes(lab).alone).toBe('nothing');
    const ways = rows(lab, 'ways');
    expect(ways.map(({ n, recv, ordered }) => [n, recv, ordered])).toEqual([
      [20, false, false],
      [20, false, true],
      [20, true, true],
      [20, true, true],
      [20, true, true],
      [20, true, true],
    ]);
    for (const { min, median, max } of ways as Record<string, number>[]) {
      expect(min).toBeGreaterThan(0);
      expect(median).toBeGreaterThanOrEqual(min!);
      expect(max).toBeGreaterThanOrEqual(median!);
    }
    expect(figures(lab).alone).toBe(0);
  });

  it('costs a polling server the pauses, and a sleeping one not', async () => {
    const lab = await runLab('notify-target', { ...SHORT, pause: 20 });
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
