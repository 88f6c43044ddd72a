/** The threads of this process by purpose, told apart by their names in /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import type { CallCount } from '@verbslab/protocol';

/** Names of the thread of a measuring loop (native/bench/loop.cc) and of the embedded device's thread. */
const LOOP = 'vl-loop';
const DEVICE = 'uroce';

export const partOf = (thread: string): CallCount['part'] =>
  thread === LOOP ? 'program' : thread === DEVICE ? 'device' : 'control';

export interface Switches {
  voluntary: number;
  involuntary: number;
}

/** Context switches of the device’s thread; null if there is none. */
export function deviceSwitches(): Switches | null {
  for (const task of readdirSync('/proc/self/task')) {
    const folder = `/proc/self/task/${task}`;
    try {
      if (partOf(readFileSync(`${folder}/comm`, 'utf8').trim()) === 'device')
        return switchesIn(readFileSync(`${folder}/status`, 'utf8'));
    } catch {
      // A thread that has ended meanwhile is not the device’s.
    }
  }
  return null;
}

function switchesIn(status: string): Switches {
  const line = (name: string): number =>
    Number(new RegExp(`^${name}:\\s*(\\d+)$`, 'm').exec(status)?.[1] ?? NaN);
  return {
    voluntary: line('voluntary_ctxt_switches'),
    involuntary: line('nonvoluntary_ctxt_switches'),
  };
}
