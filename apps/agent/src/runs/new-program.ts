import { PROGRAM_LAB, type RunRecord } from '@verbslab/protocol';
import { bootId } from '../base/boot-id.js';
import { capturePath } from '../store/capture-files.js';
import type { NewRun } from '../store/store.js';
import { programTitle } from './commands.js';
import type { ManagerOptions } from './manager-options.js';
import type { CommandOptions } from './program-command.js';
import { ProgramRun } from './program-run.js';

/** Largest age of a program's clock, ns. A clock that is further off is not this machine’s. */
const CLOCK_SLACK_NS = 60_000_000_000n;

/** Parameters of a run whose commands the agent starts itself. */
export type HeldProgram = RunRecord['parameters'];

interface NewProgram {
  /** Set if the agent starts the commands itself. */
  held?: HeldProgram;
  /** Default: made from the command. */
  title?: string;
  onChange: (run: ProgramRun) => void;
}

/**
 * When a run began that a client feeds, from the client's CLOCK_MONOTONIC, ns: on that clock, and as a date for its
 * record. Both count from that beginning.
 */
export function beginOf(begun: bigint): { begin: bigint } & Pick<NewRun, 'createdAt' | 'clock'> {
  const now = process.hrtime.bigint();
  const begin = begun <= now && now - begun < CLOCK_SLACK_NS ? begun : now;
  const boot = bootId();
  return {
    begin,
    createdAt: Date.now() - Number((now - begin) / 1_000_000n),
    ...(boot === null ? {} : { clock: { boot, ns: begin.toString() } }),
  };
}

/** Makes a run for a program that began at `begun` (CLOCK_MONOTONIC, ns), with its record in the history. */
export function newProgram(
  { store, home, logger, runLimit }: Pick<ManagerOptions, 'store' | 'home' | 'logger' | 'runLimit'>,
  { command, options, terminal }: Pick<CommandOptions, 'command' | 'options' | 'terminal'>,
  begun: bigint,
  { held, title, onChange }: NewProgram,
): ProgramRun {
  const { begin, ...at } = beginOf(begun);
  const record = store.create({
    lab: PROGRAM_LAB,
    title: title ?? programTitle([command]),
    mode: 'all',
    device: null,
    parameters: {
      command: [...command],
      ...(options.length > 0 ? { options: [...options] } : {}),
      ...(terminal.length > 0 ? { terminal: [...terminal] } : {}),
      ...held,
    },
    ...at,
  });
  return new ProgramRun({
    record,
    clock: begin,
    store,
    captureFile: capturePath(home, record.id),
    logger,
    ...(runLimit === undefined ? {} : { runLimit }),
    held: held !== undefined,
    ...(title === undefined ? {} : { title }),
    onChange,
  });
}
