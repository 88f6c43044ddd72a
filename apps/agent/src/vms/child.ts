/**
 * Starts or stops the virtual machines for the agent and ends. This is a separate process, since unpacking a kernel
 * keeps it busy for seconds. Argument: `up` or `down`. SIGTERM, or the end of the agent, cancels a start.
 */
import { AppError, toErrorInfo } from '@verbslab/protocol';
import { printable } from '../base/printable.js';
import { lastWords } from './boot.js';
import { changing } from './changing.js';
import type { ChildMessage } from './child-messages.js';
import { down } from './down.js';
import { pair, unpair } from './pair.js';
import { vmsFolder } from './paths.js';
import { readState } from './state.js';
import { DEFAULT_TIMEOUT_S, up } from './up.js';

/** Interval between two readings of the consoles, ms, and the number of lines passed on from each. */
const READ_MS = 500;
const LINES = 6;

const controller = new AbortController();
const cancel = (): void => controller.abort(new AppError('CANCELLED_COMMAND'));
process.on('SIGTERM', cancel);
process.on('disconnect', cancel);

const tell = (message: ChildMessage): void => {
  if (process.connected) process.send!(message);
};

/** The last lines of the consoles, each with the machine's name. */
function consoles(): string {
  const folder = vmsFolder();
  return (readState(folder)?.vms ?? [])
    .flatMap(({ name }) => {
      const lines = lastWords(folder, name).split('\n').filter(Boolean).slice(-LINES);
      return lines.map((line) => `${name}: ${printable(line)}`);
    })
    .join('\n');
}

async function start(): Promise<void> {
  let last = '';
  const read = (): void => {
    const output = consoles();
    if (output !== '' && output !== last) tell({ output: (last = output) });
  };
  const timer = setInterval(read, READ_MS);
  try {
    const { vms } = await changing((folder) =>
      up(folder, {
        accel: 'auto',
        timeout: DEFAULT_TIMEOUT_S,
        signal: controller.signal,
        say: (said) => tell({ said }),
        onStep: (name, step) => tell({ name, step }),
      }),
    );
    read();
    await pair(vms);
  } finally {
    clearInterval(timer);
  }
}

const stop = (): Promise<unknown> =>
  changing(async (folder) => {
    await unpair(readState(folder)?.vms ?? []);
    await down(folder, { cache: false });
  });

async function main(): Promise<void> {
  try {
    await (process.argv[2] === 'down' ? stop() : start());
    tell({ ended: 'done', error: null });
  } catch (error) {
    const cancelled = controller.signal.aborted;
    tell({ ended: cancelled ? 'cancelled' : 'failed', error: cancelled ? null : toErrorInfo(error) });
  }
  process.off('disconnect', cancel);
  if (process.connected) process.disconnect();
}

void main();
