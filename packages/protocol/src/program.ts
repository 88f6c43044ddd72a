// No schemas here: pages use this file.
import type { LabDescription } from './lab.js';
import type { RunRow } from './run-row-schema.js';
import type { ProgramResult, ProgramWork } from './runs.js';

/** Lab id of runs that `verbslab exec` registered. No lab may have this id. */
export const PROGRAM_LAB = 'program';

/** Description of such a run for pages. */
export const PROGRAM_VIEW: LabDescription = {
  id: PROGRAM_LAB,
  title: 'Program',
  question: 'What does this program do with RDMA?',
  summary:
    'A program under `verbslab exec`: its objects, queue pairs, work requests, completions and packets, live, and its misuse of verbs.',
  params: { type: 'object', properties: {} },
  roles: [],
  // Pages have a separate list of panels for programs.
  watch: [],
  checks: [],
  needs: [],
  wants: [],
};

export function isProgram(run: { lab: string }): boolean {
  return run.lab === PROGRAM_LAB;
}

/** Command line as a person would type it. */
export function commandText(command: readonly string[]): string {
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}

/** Most commands of a run. */
export const MAX_COMMANDS = 16;

/** Bytes that are kept from the beginning and from the end of each output stream of a program. */
export const OUTPUT_KEPT_BYTES = 256 * 1024;
/** Most characters of an `output` event. */
export const MAX_OUTPUT_TEXT = 8 * 1024;

/** End of a program: `exit code 3`, `SIGSEGV`. Null if it is unknown. */
export function programEnd(program: Pick<ProgramResult, 'exitCode' | 'signal'> | undefined): string | null {
  if (program?.signal) return program.signal;
  return program && program.exitCode !== null ? `exit code ${program.exitCode}` : null;
}

/** Command lines of a program’s run: several if it was joined. */
export function commandsOf({ parameters, result }: Pick<RunRow, 'parameters' | 'result'>): string[][] {
  const { command } = parameters;
  const first = Array.isArray(command) ? [command.map(String)] : [];
  return result?.program?.commands?.map((one) => one.command) ?? first;
}

/** Options of `verbslab exec` for each command of `commandsOf`, as words; none of older versions. */
export function execOptionsOf({ parameters, result }: Pick<RunRow, 'parameters' | 'result'>): string[][] {
  const { options } = parameters;
  const first = Array.isArray(options) ? options.map(String) : [];
  return result?.program?.commands?.map((one) => one.options ?? []) ?? [first];
}

/** Tool of the run from the fixed list, with its fields; null if a person typed the commands. */
export function toolOf({ parameters }: Pick<RunRow, 'parameters'>): {
  name: string;
  params: Readonly<Record<string, unknown>>;
  link: string;
} | null {
  const { tool } = parameters;
  if (typeof tool !== 'object' || tool === null || Array.isArray(tool)) return null;
  const { name, params, link } = tool;
  if (typeof name !== 'string' || typeof params !== 'object' || params === null || Array.isArray(params))
    return null;
  return { name, params, link: link === 'udp' ? 'udp' : 'auto' };
}

/** Output streams of a program that go to a terminal. None of their content is kept. */
export function terminalStreams({
  parameters,
  result,
}: Pick<RunRow, 'parameters' | 'result'>): readonly string[] {
  const { terminal } = parameters;
  const own = Array.isArray(terminal) ? terminal.filter((one) => one === 'stdout' || one === 'stderr') : [];
  return [...new Set([...own, ...(result?.program?.commands ?? []).flatMap((one) => one.terminal ?? [])])];
}

/** Average rate of a program's payload, 10^9 bits per second; null if its time is unknown. */
export function programGbps(work: ProgramWork | undefined): number | null {
  if (!work?.seconds) return null;
  return ((work.timedBytes ?? work.bytes) * 8) / work.seconds / 1e9;
}

/** True if a program is known to have sent and received payload. */
export function bothDirections({ moved }: Pick<ProgramWork, 'moved'>): boolean {
  const { written = 0, sent = 0, read = 0, received = 0 } = moved ?? {};
  return written + sent > 0 && read + received > 0;
}

/** Events between which that rate is measured, as text. */
export const programSpan = ({ timedFrom = 'completion' }: ProgramWork): string =>
  `from ${timedFrom === 'post' ? 'the first post' : 'the first completion'} to the last completion`;

/** True if both runs were in progress at the same time. */
export const ranTogether = (a: RunRow, b: RunRow): boolean =>
  a.createdAt <= (b.endedAt ?? Infinity) && b.createdAt <= (a.endedAt ?? Infinity);

const pairsOf = ({ result }: RunRow) => result?.program?.work?.connections ?? [];

const keysOf = (run: RunRow): string[] => pairsOf(run).map(({ qpn, peerQpn }) => `${qpn} ${peerQpn}`);
const peerKeysOf = (run: RunRow): string[] => pairsOf(run).map(({ qpn, peerQpn }) => `${peerQpn} ${qpn}`);

/**
 * The run at the other end of all connections of this one, if there is one such run and all of its connections lead
 * here: server and client of one another, and of no other process. Null if an end is unknown.
 */
export function otherEnd<Run extends RunRow>(run: Run, runs: readonly Run[]): Run | null {
  const [other, ...more] = peerRuns(run, runs);
  if (other === undefined || more.length > 0) return null;
  const known = new Set([...keysOf(run), ...keysOf(other)]);
  return [...peerKeysOf(run), ...peerKeysOf(other)].every((key) => known.has(key)) ? other : null;
}

/** Runs among `runs` of the programs at the other end of this run's connections, in the order in which they started. */
export function peerRuns<Run extends RunRow>(run: RunRow, runs: readonly Run[]): Run[] {
  const wanted = new Set(pairsOf(run).map(({ qpn, peerQpn }) => `${peerQpn} ${qpn}`));
  return runs
    .filter(
      (other) =>
        other.id !== run.id &&
        !other.parts?.some(({ id }) => id === run.id) &&
        other.imported?.host === run.imported?.host &&
        ranTogether(run, other) &&
        pairsOf(other).some(({ qpn, peerQpn }) => wanted.has(`${qpn} ${peerQpn}`)),
    )
    .sort((a, b) => a.createdAt - b.createdAt);
}
