// Findings that are known and fail nothing: a file that is kept beside the tests.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '@verbslab/protocol';
import { z } from 'zod';
import type { PlacedFinding } from './process-report.js';

const zBaseline = z.strictObject({
  schema: z.literal('verbslab-baseline/1'),
  findings: z.array(
    z.strictObject({
      id: z.string(),
      program: z.string(),
      call: z.string(),
      /** `function, file.c`, or the file of the program where debug information is missing. */
      at: z.string().nullable(),
    }),
  ),
});
export type Baseline = z.infer<typeof zBaseline>;
type Known = Baseline['findings'][number];

/** Without line numbers and numbers of objects, which change with each build and run. */
function knownAs({ id, program, call, place }: PlacedFinding & { program: string }): Known {
  const at = place && [place.function, basename(place.file ?? place.object)].filter(Boolean).join(', ');
  return { id, program, call, at };
}

const same = (a: Known, b: Known): boolean =>
  a.id === b.id && a.program === b.program && a.call === b.call && a.at === b.at;

export const isKnown = ({ findings }: Baseline, finding: PlacedFinding & { program: string }): boolean =>
  findings.some((known) => same(known, knownAs(finding)));

export function readBaseline(file: string): Baseline {
  const wrong = (detail: string, cause: unknown): AppError =>
    new AppError('USAGE', { detail, hint: `Create it with --write-baseline ${file}.` }, { cause });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(`The baseline ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, error);
  }
  try {
    return zBaseline.parse(JSON.parse(text));
  } catch (error) {
    throw wrong(`${file} is no baseline of verbslab test`, error);
  }
}

/** Writes the findings as the baseline of later runs. Returns their number. */
export function writeBaseline(
  file: string,
  findings: readonly (PlacedFinding & { program: string })[],
): number {
  const known: Known[] = [];
  for (const one of findings.map(knownAs)) if (!known.some((other) => same(one, other))) known.push(one);
  const ordered = known.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b), 'en'));
  const baseline: Baseline = { schema: 'verbslab-baseline/1', findings: ordered };
  writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`);
  return known.length;
}
