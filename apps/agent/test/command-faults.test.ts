/** When the processes of a command get the faults that were planned for them, and what a replay plans. */
import { type Faults } from '@verbslab/protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { injectedByOrder } from '../src/cli/planned-faults.js';
import { CommandFaults } from '../src/program/command-faults.js';
import type { ProcessControl } from '../src/program/process-control.js';

const LOSS: Faults = { rates: { drop: 0.01 } };
const SLOW: Faults = { shaping: { delayUs: 1000 } };
const NS = 1e9;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process that does what it is told, and says so. */
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
