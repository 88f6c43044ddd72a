import {
  commandsOf,
  execOptionsOf,
  LINKS,
  type ProgramCommand,
  type ProgramWork,
  type RunRecord,
  type RunResult,
  type RunState,
} from '@verbslab/protocol';
import { workText } from '../program/work-text.js';
import { endOfAll } from '../runs/commands.js';
import type { Part } from './plan.js';

/** States in order of precedence: the joined run gets the first that one of its parts has. */
const WORST: readonly RunState[] = ['failed', 'interrupted', 'cancelled'];

/** The part whose state the joined run gets. */
export const leadOf = (parts: readonly Part[]): RunRecord =>
  WORST.flatMap((state) => parts.filter(({ record }) => record.state === state))[0]?.record ??
  parts[0]!.record;

function commandsIn({ record, ns }: Part): ProgramCommand[] {
  const { program } = record.result ?? {};
  if (program?.commands) return program.commands.map((one) => ({ ...one, begun: one.begun + ns }));
  const { terminal } = record.parameters;
  const [options = []] = execOptionsOf(record);
  return commandsOf(record).map((command) => ({
    command,
    begun: ns,
    ...(options.length > 0 ? { options } : {}),
    ...(Array.isArray(terminal) ? { terminal: terminal as NonNullable<ProgramCommand['terminal']> } : {}),
    exitCode: program?.exitCode ?? null,
    signal: program?.signal ?? null,
  }));
}

/** Result of the joined run, without its problems and its capture file. */
export function joinedResult(parts: readonly Part[], work: ProgramWork | undefined): RunResult {
  const [first] = parts as [Part, ...Part[]];
  const results = parts.flatMap(({ record }) => record.result ?? []);
  const links = LINKS.filter((link) => results.some((one) => one.links?.includes(link)));
  const lead = leadOf(parts);
  const commands = parts.flatMap(commandsIn);
  const system = results.find((one) => one.program?.system)?.program?.system;
  return {
    lab: first.record.lab,
    state: lead.state,
    provider: results.find(({ provider }) => provider !== null)?.provider ?? null,
    device: results.find(({ device }) => device !== null)?.device ?? null,
    ...(links.length > 0 ? { links } : {}),
    parameters: first.record.parameters,
    transports: {},
    checks: [],
    program: {
      ...endOfAll(commands),
      commands,
      ...(work ? { work } : {}),
      ...(system ? { system } : {}),
    },
    ...(work ? { answer: workText(work) } : {}),
    captureFile: null,
    ...(lead.error ? { error: lead.error } : {}),
  };
}
