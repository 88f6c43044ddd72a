import { AppError, type LabDescription, type ParamRule } from '@verbslab/protocol';
import { z } from 'zod';
import { checkRules, parseParams } from '../form/params.js';
import { isSafeWord } from './words.js';

/** The packages of Debian and Ubuntu that hold the programs. */
export const TOOL_PACKAGES = ['ibverbs-utils', 'rdmacm-utils', 'perftest', 'iproute2'] as const;
export type ToolPackage = (typeof TOOL_PACKAGES)[number];

/** Sign that a server can be reached: a TCP port that listens, a port of the connection manager, a group joined. */
export type ToolReady =
  | { kind: 'tcp'; port: number }
  | { kind: 'cm'; port: number; space: 'tcp' | 'udp' }
  | { kind: 'group'; address: string };

/** Place where a tool runs. */
export interface ToolPlace {
  /** IPv4 address of the device. */
  address: string;
}

export interface ToolCommand {
  role: string;
  title: string;
  program: string;
  /** The program and its arguments. */
  command: readonly string[];
  /** Sign that the next command waits for. */
  ready?: ToolReady;
}

export interface ToolRole<P> {
  /** `server`, `client`, `alone`. */
  name: string;
  /** Action of this end, in one sentence. */
  text: string;
  /** Absent: the program that the tool is named after. */
  program?: string;
  /**
   * The run shows its lines at once, although the program writes to a pipe and keeps its output until the buffer is
   * full.
   */
  lineBuffered?: true;
  args: (values: P, place: ToolPlace) => readonly string[];
  ready?: (values: P) => ToolReady;
}

export interface ToolDefinition<S extends z.ZodObject> {
  /** The program, as it is typed. */
  name: string;
  title?: string;
  package: ToolPackage;
  /** Purpose of the program, in one line. */
  summary: string;
  /** Parts to look at on the page of the run. */
  shows: string;
  /** Every property has title, description and default, and is a whole number, a choice or a switch: no text. */
  params: S;
  /** The flag of the program that each parameter becomes, for the reader. */
  flags: Readonly<Record<keyof z.output<S> & string, string>>;
  rules?: readonly ParamRule[];
  /** Roles in the order in which they are started. */
  roles: readonly ToolRole<z.output<S>>[];
  /**
   * Seconds after which the run ends the program, as its user would with Ctrl-C: the program does not end by itself.
   */
  endsAfter?: (values: z.output<S>) => number;
}

/** A program of the distribution: what it shows, its flags as checked fields, and the commands that it becomes. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly package: ToolPackage;
  readonly summary: string;
  readonly shows: string;
  /** JSON Schema of the fields, as that of a lab. */
  readonly params: LabDescription['params'];
  readonly flags: Readonly<Record<string, string>>;
  readonly rules: readonly ParamRule[];
  readonly roles: readonly { name: string; text: string; program: string }[];
  /** The programs that it needs, each once. */
  readonly programs: readonly string[];
  /** Fills in defaults and checks. Throws AppError UNKNOWN_FIELD or BAD_PARAM. */
  parse(input: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** The commands, first to last, for values of `parse`. */
  commands(values: Readonly<Record<string, unknown>>, place: ToolPlace): ToolCommand[];
  /** Seconds after which the run is ended as intended; null where the programs end by themselves. */
  endsAfter(values: Readonly<Record<string, unknown>>): number | null;
}

const LINE_BUFFERED = ['stdbuf', '-oL'];
/** More words than any declaration makes. */
const MAX_WORDS = 64;

function checked(command: readonly string[], program: string): readonly string[] {
  const bad = command.find((word) => !isSafeWord(word));
  if (bad !== undefined || command.length > MAX_WORDS)
    throw new AppError('INTERNAL', { detail: `${program} may not get ${JSON.stringify(bad ?? 'so much')}` });
  return command;
}

export function defineTool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  type Values = z.output<S>;
  const { name, params, roles, flags, rules = [], endsAfter } = definition;
  const schema = z.toJSONSchema(params, { io: 'input' }) as LabDescription['params'];
  const properties = (schema.properties ?? {}) as Parameters<typeof parseParams>[2];
  const programOf = (role: ToolRole<Values>): string => role.program ?? name;
  return {
    name,
    title: definition.title ?? name,
    package: definition.package,
    summary: definition.summary,
    shows: definition.shows,
    params: schema,
    flags,
    rules,
    roles: roles.map((role) => ({ name: role.name, text: role.text, program: programOf(role) })),
    programs: [...new Set(roles.map(programOf))],
    parse: (input) => {
      const unknown = Object.keys(input).find((one) => !Object.hasOwn(properties, one));
      if (unknown !== undefined)
        throw new AppError('UNKNOWN_FIELD', {
          tool: name,
          field: unknown.slice(0, 64),
          known: Object.keys(properties).join(', ') || 'none',
        });
      const values = parseParams(name, params, properties, input);
      checkRules(rules, properties, values, []);
      return values;
    },
    commands: (values, place) =>
      roles.map((role) => {
        const program = programOf(role);
        return {
          role: role.name,
          title: role.text,
          program,
          command: [
            ...(role.lineBuffered ? LINE_BUFFERED : []),
            program,
            ...checked(role.args(values as Values, place), program),
          ],
          ...(role.ready ? { ready: role.ready(values as Values) } : {}),
        };
      }),
    endsAfter: (values) => endsAfter?.(values as Values) ?? null,
  };
}
