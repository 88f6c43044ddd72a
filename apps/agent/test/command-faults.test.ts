/** Times at which the processes of a command get planned faults, and the plan of a replay. */
import { type Faults } from '@verbslab/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { injectedByOrder } from '../src/cli/planned-faults.js';
import { CommandFaults } from '../src/program/command-faults.js';
import type { ProcessControl } from '../src/program/process-control.js';
import type { AskedFaults, FaultsTold } from '../src/faults/asked-faults.js';
import type { ProgramCommand } from '../src/runs/program-command.js';
import { ProgramFaults } from '../src/runs/program-faults.js';

const LOSS: Faults = { rates: { drop: 0.01 } };
const SLOW: Faults = { shaping: { delayUs: 1000 } };
const NS = 1e9;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process that obeys and confirms. */
function process(told: Faults[]): ProcessControl {
  const set = (faults: Faults): Promise<null> => {
    told.push(faults);
    return Promise.resolve(null);
  };
  return { endpoint: 'pid 1', set } as unknown as ProcessControl;
}

describe('planned faults', () => {
  it('of one process count from when it opens the device, those of all from the first of the command', async () => {
    const plan = [
      { at: 2, endpoint: '2', faults: LOSS },
      { at: 3, faults: SLOW },
    ];
    const command = new CommandFaults(plan);
    const [first, second]: Faults[][] = [[], []];
    command.came(process(first!));
    await vi.advanceTimersByTimeAsync(2500);
    command.came(process(second!));
    expect([first, second]).toEqual([[], []]);
    await vi.advanceTimersByTimeAsync(500);
    expect([first, second]).toEqual([[SLOW], [SLOW]]);
    await vi.advanceTimersByTimeAsync(1500);
    expect([first, second]).toEqual([[SLOW], [SLOW, LOSS]]);
    command.stop();
  });

  it('of a command that joins a run name the processes of the run', async () => {
    const replayed = [
      { at: 1, endpoint: '1', faults: LOSS },
      { at: 1, endpoint: '2', faults: SLOW },
    ];
    const command = new CommandFaults(replayed, 1);
    const told: Faults[] = [];
    command.came(process(told));
    await vi.advanceTimersByTimeAsync(5000);
    expect(told).toEqual([SLOW]);
    command.stop();
  });
});

describe('what was set before a command took part', () => {
  it('is for its processes, too, but not for those of a command with a plan of its own', async () => {
    const told: Faults[] = [];
    const plain = new CommandFaults([]);
    plain.came(process(told));
    await plain.set(undefined, LOSS, true);
    plain.came(process(told));
    expect(told).toEqual([LOSS, LOSS]);
    const planned = new CommandFaults([{ at: 0, faults: SLOW }]);
    const own: Faults[] = [];
    planned.came(process(own));
    expect(await planned.set(undefined, LOSS, true)).toEqual({ endpoints: [] });
    expect(own).toEqual([SLOW]);
  });
});

describe('faults of a run', () => {
  /** A command, with the requests that it gets and its answers. */
  function command(told: FaultsTold) {
    const asked: { faults: Faults; earlier: boolean }[] = [];
    const ask: AskedFaults['ask'] = (_run, _endpoint, faults, earlier = false) => {
      asked.push({ faults, earlier });
      return Promise.resolve(told);
    };
    return { asked, command: { options: { faults: { ask } } } as unknown as ProgramCommand };
  }

  it('are given to a command that comes later, unless they were refused', async () => {
    const run = new ProgramFaults('run');
    const [first, later] = [command({ endpoints: ['pid 1'] }), command({ endpoints: ['pid 2'] })];
    expect(await run.set([first.command], undefined, LOSS)).toEqual(['pid 1']);
    run.opened(first.command);
    run.opened(later.command);
    run.opened(later.command);
    expect(first.asked).toEqual([{ faults: LOSS, earlier: false }]);
    expect(later.asked).toEqual([{ faults: LOSS, earlier: true }]);

    const deaf = command({ endpoints: [], why: 'the process did not answer within 10 s' });
    await expect(run.set([deaf.command], undefined, SLOW)).rejects.toMatchObject({
      info: { code: 'FAULTS_REFUSED', message: expect.stringContaining('did not answer') as string },
    });
    const last = command({ endpoints: ['pid 3'] });
    run.opened(last.command);
    expect(last.asked).toEqual([{ faults: LOSS, earlier: true }]);
  });
});

describe('a replay', () => {
  const endpoint = (name: string, seconds: number) => ({
    ...{ t: seconds * NS, kind: 'endpoint', endpoint: name, role: name },
    ...{ device: 'uroce0', providerClass: 'user-space' },
  });
  const faults = (name: string, seconds: number, what: Faults) => ({
    ...{ t: seconds * NS, kind: 'faults', endpoint: name },
    ...what,
  });

  it('counts from when each process opened the device, however long after the first', () => {
    const events = [
      endpoint('pid 7', 1),
      endpoint('pid 9', 4),
      faults('pid 9', 4.01, LOSS),
      faults('pid 7', 5, SLOW),
      faults('pid 9', 5, SLOW),
    ];
    expect(injectedByOrder(events)).toEqual([
      { at: 0, endpoint: '2', faults: LOSS },
      { at: 4, endpoint: '1', faults: SLOW },
      { at: 1, endpoint: '2', faults: SLOW },
    ]);
  });

  it('of a single process is for all', () => {
    const events = [endpoint('pid 7', 1), faults('pid 7', 3, LOSS)];
    expect(injectedByOrder(events)).toEqual([{ at: 2, faults: LOSS }]);
  });
});
