import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { promisify } from 'node:util';
import type { CallPlace } from '@verbslab/protocol';
import { firstExecutable, onPath } from '../config/executable.js';
import { linkedAt } from './elf.js';

/**
 * Place of a call in a file of the program, as its process reports it. `outer`: the call of the surrounding function.
 */
export type RawPlace = Pick<CallPlace, 'function' | 'object' | 'offset'> & { outer?: string | undefined };

/** Time for all files of a command together, ms. */
const LIMIT_MS = 5_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** Most addresses that are looked up per file. */
const MAX_ADDRESSES = 2000;

interface Symbolizer {
  path: string;
  /**
   * Arguments that print each address, and for each function there, the inlined ones first, its name and `file:line`.
   */
  args: (file: string) => string[];
}

const TOOLS: readonly { name: string; args: (file: string) => string[] }[] = [
  { name: 'addr2line', args: (file) => ['-a', '-f', '-i', '-e', file] },
  {
    name: 'llvm-symbolizer',
    args: (file) => ['--output-style=GNU', '--print-address', '--no-demangle', `--obj=${file}`],
  },
];

function findTool(): Symbolizer | null {
  for (const { name, args } of TOOLS) {
    const path = firstExecutable(onPath(name));
    if (path) return { path, args };
  }
  return null;
}

const run = promisify(execFile);

/** `inHeader`: the call is in a function defined by the headers of verbs. */
type Answer = Partial<CallPlace> & { inHeader: boolean };

/** Asks the tool for the place of each address in a file. Rejects if the tool fails or takes too long. */
async function ask(
  tool: Symbolizer,
  file: string,
  offsets: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Answer>> {
  // The name comes from the process: only a plain file is opened, and an absolute path cannot be taken for an option.
  if (!isAbsolute(file) || !statSync(file).isFile()) throw new Error('not a file');
  const base = linkedAt(file);
  if (base === null) throw new Error('not an ELF file');
  const addresses = offsets.map((offset) => `0x${(BigInt(offset) + base).toString(16)}`);
  const { stdout } = await run(tool.path, [...tool.args(file), ...addresses], {
    signal,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
    // The tool downloads no debug information and loads no library of the user's.
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  const blocks = stdout.split(/^0x[0-9a-f]+\n/m).slice(1);
  if (blocks.length < offsets.length) throw new Error('the answer is cut');
  return new Map(offsets.map((offset, index) => [offset, answer(blocks[index]!.split('\n'))]));
}

interface Frame {
  name: string | null;
  file: string | null;
  line: number;
}

/** Functions of <infiniband/verbs.h> that call the device. */
const HEADER_VERBS = new Set([
  ...['ibv_post_send', 'ibv_post_recv', 'ibv_post_srq_recv', 'ibv_poll_cq', 'ibv_req_notify_cq'],
]);

/**
 * True for a verb that the header defines: the program calls it elsewhere. addr2line may name the file of the program
 * for a function of the header.
 */
const isHeader = ({ name, file }: Frame): boolean =>
  (file !== null && /\/(infiniband|rdma)\/\w+\.h$/.test(file)) || HEADER_VERBS.has(name ?? '');

function answer(lines: readonly string[]): Answer {
  const frames: Frame[] = [];
  for (let at = 0; at + 1 < lines.length; at += 2) {
    const [name, place] = [lines[at]!, lines[at + 1]!];
    const found = /^(.+):(\d+)(?: \(discriminator \d+\))?$/.exec(place);
    const line = Number(found?.[2] ?? 0);
    const file = found && found[1] !== '??' && line > 0 ? found[1]! : null;
    frames.push({ name: name === '??' ? null : name, file, line });
  }
  const frame = frames.find((one) => !isHeader(one));
  const shown = frame ?? frames[0];
  return {
    inHeader: frames.length > 0 && frame === undefined,
    ...(shown?.name ? { function: shown.name.slice(0, 256) } : {}),
    ...(shown?.file
      ? { file: shown.file.slice(-1024), line: shown.line }
      : { missing: 'debug-info' as const }),
  };
}

/**
 * Finds functions and source lines of calls, in their order, with one run of the tool per file. Never rejects and takes
 * bounded time. A place that could not be found says why.
 */
export async function locate(places: readonly RawPlace[]): Promise<CallPlace[]> {
  const unknown = ({ outer: _, ...place }: RawPlace, missing: CallPlace['missing']): CallPlace => ({
    ...place,
    file: null,
    line: null,
    missing,
  });
  const tool = places.length > 0 ? findTool() : null;
  if (!tool) return places.map((place) => unknown(place, 'tool'));
  const byFile = new Map<string, Set<string>>();
  for (const { object, offset, outer } of places) {
    const offsets = byFile.get(object) ?? new Set();
    for (const one of [offset, outer])
      if (one !== undefined && offsets.size < MAX_ADDRESSES) offsets.add(one);
    byFile.set(object, offsets);
  }
  const signal = AbortSignal.timeout(LIMIT_MS);
  const answers = new Map<string, Map<string, Answer>>();
  for (const [file, offsets] of byFile) {
    // A file that is gone or makes the tool fail has no lines; the others may have some.
    const found = await ask(tool, file, [...offsets], signal).catch(() => null);
    if (found) answers.set(file, found);
  }
  return places.map((place) => {
    const { function: name, object, offset, outer } = place;
    const of = answers.get(object);
    const inner = of?.get(offset);
    const around = inner?.inHeader && outer !== undefined ? of?.get(outer) : undefined;
    if (!inner) return unknown(place, 'file');
    const { inHeader: _, ...found } = around ?? inner;
    return { function: name, object, offset: around ? outer! : offset, file: null, line: null, ...found };
  });
}
