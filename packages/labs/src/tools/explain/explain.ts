/** Meanings of the lines of known RDMA programs. Free of schemas, since the page of a run has it. */
import { ASYNCWATCH_RULES, DEVICES_RULES, DEVINFO_RULES } from './device-rules.js';
import { CM_RULES, PINGPONG_RULES } from './exchange-rules.js';
import { RDMA_RULES } from './kernel-rules.js';
import { averageGbps, perftestRules } from './perftest-rules.js';
import type { LineRule, Meaning, Seen } from './rule.js';

export interface ExplainedLine {
  text: string;
  /** Null for a line that is not known. */
  meaning: Meaning | null;
}

const CM_PROGRAMS = new Set(['rdma_server', 'rdma_client', 'rping', 'ucmatose', 'udaddy', 'mckey']);

function rulesOf(program: string): readonly LineRule[] | null {
  if (program === 'ibv_devinfo') return DEVINFO_RULES;
  if (program === 'ibv_devices') return DEVICES_RULES;
  if (program === 'ibv_asyncwatch') return ASYNCWATCH_RULES;
  if (program === 'rdma') return RDMA_RULES;
  if (/^ibv_(rc|uc|ud|srq)_pingpong$/.test(program)) return PINGPONG_RULES;
  if (CM_PROGRAMS.has(program)) return CM_RULES;
  return /^ib_(write|read|send)_(bw|lat)$/.test(program) ? perftestRules(program) : null;
}

/** The program of a command line: that after `stdbuf -oL`, where it has one. */
function programOf(command: readonly string[]): string {
  const [first = '', ...rest] = command;
  const name = first.slice(first.lastIndexOf('/') + 1);
  if (name !== 'stdbuf') return name;
  return programOf(rest.slice(rest.findIndex((word) => !word.startsWith('-'))));
}

/** Explains the output of one command, piece by piece in its order: tables keep their heading. */
export class Explainer {
  readonly #rules: readonly LineRule[];
  readonly #seen: Seen = { heading: '' };

  private constructor(rules: readonly LineRule[]) {
    this.#rules = rules;
  }

  /** Null for a program that is not known. */
  static of(command: readonly string[]): Explainer | null {
    const rules = rulesOf(programOf(command));
    return rules && new Explainer(rules);
  }

  lines(text: string): ExplainedLine[] {
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines.map((line) => {
      if (line.trimStart().startsWith('#bytes')) this.#seen.heading = line;
      return { text: line, meaning: this.#meaning(line) };
    });
  }

  #meaning(line: string): Meaning | null {
    for (const { line: pattern, meaning } of this.#rules) {
      const found = pattern.exec(line);
      if (found) return typeof meaning === 'string' ? { text: meaning } : meaning(found, this.#seen);
    }
    return null;
  }
}

const BW_ROW = /^\s*\d+\s+\d+\s+[\d.]+\s+([\d.]+)\s+[\d.]+\s*$/;

/** The average that perftest printed, 10^9 bits per second. Null unless there is exactly one row. */
export function printedGbps(output: string): number | null {
  const lines = output.split('\n');
  const at = lines.findIndex((line) => line.includes('BW average['));
  const rows = at < 0 ? [] : lines.slice(at + 1).flatMap((line) => BW_ROW.exec(line)?.[1] ?? []);
  return rows.length === 1 ? averageGbps(lines[at]!, Number(rows[0])) : null;
}

export type { Meaning } from './rule.js';
