/** Occupancy of the queues of a program, as the device samples it and `runs show` prints it. */
import type { QueueKind } from '@verbslab/protocol';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { suiteAgent } from './agent.js';
import { able, Programs } from './compile.js';
import { start, untilPrinted } from './run.js';

interface Sampled {
  endpoint: string;
  queues: {
    kind: QueueKind;
    number: number;
    used: number;
    size: number;
    queued?: number;
  }[];
  others: { kind: string; queues: number; used: number; size: number }[];
}

const SEEN = { timeout: 30_000, interval: 200 };

describe.skipIf(!able)('the queues of a program', () => {
  const programs = new Programs();
  const { home, runs } = suiteAgent();
  let program = '';
  beforeAll(() => {
    program = programs.compile('queues', ['-g', '-O0']);
  });
  afterAll(() => programs.remove());

  /** Runs a case until its samples pass the check, live; and once more after a signal has ended it. */
  async function sampled(
    name: string,
    check: (processes: Sampled[], text: string) => void,
    { ended = true } = {},
  ): Promise<void> {
    const running = start(program, [name], { exec: true, home });
    let number = '';
    const show = async (): Promise<void> => {
      const { queues } = JSON.parse(await runs('show', number, '--json')) as { queues: Sampled[] };
      check(queues, await runs('show', number));
    };
    try {
      await untilPrinted(running, 'ready');
      number = /^verbslab: Run (\d+): /m.exec(running.printed())![1]!;
      await vi.waitFor(show, SEEN);
    } finally {
      running.child.kill('SIGTERM');
    }
    await running.finished;
    if (ended) await show();
  }

  /** `used/size` of the queues of a kind. */
  const fills = ({ queues }: Sampled, of: string): string[] =>
    queues.filter(({ kind }) => kind === of).map(({ used, size }) => `${used}/${size}`);

  it('has sends whose completions were not polled in the SQ and in the CQ', () =>
    sampled('sends', ([process], text) => {
      expect(fills(process!, 'SQ')).toEqual(['5/16']);
      expect(process!.queues.find(({ kind }) => kind === 'SQ')).toMatchObject({ queued: 0 });
      expect(fills(process!, 'RQ')).toEqual(['0/8']);
      expect(Number(fills(process!, 'CQ')[0]!.split('/')[0])).toBe(5);
      expect(text).toMatch(/SQ 0x\w+ +5 \/ 16/);
      expect(text).toMatch(/CQ 1 +5 \/ \d+/);
    }));

  it('has receives that no message has taken', () =>
    sampled('receives', ([process]) => {
      expect(fills(process!, 'RQ')).toEqual(['2/8']);
      expect(fills(process!, 'SQ')).toEqual(['1/16']);
      expect(fills(process!, 'CQ')[0]).toMatch(/^2\//);
    }));

  it('has those of a shared receive queue, and no receive queue of its QP', () =>
    sampled('shared', ([process]) => {
      expect(fills(process!, 'SRQ')).toEqual(['7/32']);
      expect(fills(process!, 'RQ')).toEqual([]);
    }));

  it('are told apart by process after a fork', () =>
    sampled('fork', (processes) => {
      expect(processes).toHaveLength(2);
      expect(processes.flatMap((one) => fills(one, 'SQ')).toSorted()).toEqual(['2/16', '5/16']);
    }));

  it('are those of the new program after exec', () =>
    sampled('exec', (processes) => {
      expect(processes).toHaveLength(1);
      expect(fills(processes[0]!, 'SQ')).toEqual(['2/16']);
    }));

  it('are the fullest of a thousand, with the sums of the others', () =>
    sampled('many', ([process]) => {
      for (const kind of ['SQ', 'CQ']) expect(fills(process!, kind)).toHaveLength(16);
      expect(fills(process!, 'SQ').filter((text) => text === '4/16')).toHaveLength(10);
      expect(process!.others).toContainEqual({ kind: 'SQ', queues: 984, used: 984, size: 984 * 16 });
    }));
});
