import type { CallPlace } from '@verbslab/protocol';

/** Lines above and below a call. */
const AROUND = 3;

export interface ExcerptLine {
  number: number;
  text: string;
  lit: boolean;
}

/** Lines of a file around calls. Stretches that do not touch are apart. */
export interface Excerpt {
  /** Name without folders. */
  file: string;
  stretches: ExcerptLine[][];
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * Excerpts of the recorded files around these calls, a file once, in the order of the calls. Calls in other files have
 * none.
 */
export function excerptsOf(
  places: readonly Pick<CallPlace, 'file' | 'line'>[],
  files: ReadonlyMap<string, string>,
): Excerpt[] {
  const calls = new Map<string, Set<number>>();
  for (const { file, line } of places) {
    if (file === null || line === null) continue;
    const name = [...files.keys()].find((one) => baseName(one) === baseName(file));
    const count = name === undefined ? 0 : linesOf(files.get(name)!).length;
    if (name === undefined || line > count) continue;
    calls.set(name, (calls.get(name) ?? new Set()).add(line));
  }
  return [...calls].map(([name, lit]) => ({
    file: baseName(name),
    stretches: stretches(linesOf(files.get(name)!), lit),
  }));
}

const linesOf = (text: string): string[] => text.trimEnd().split('\n');

function stretches(lines: readonly string[], lit: ReadonlySet<number>): ExcerptLine[][] {
  const out: ExcerptLine[][] = [];
  lines.forEach((text, i) => {
    const number = i + 1;
    if (![...lit].some((line) => Math.abs(line - number) <= AROUND)) return;
    if (out.at(-1)?.at(-1)?.number !== i) out.push([]);
    out.at(-1)!.push({ number, text, lit: lit.has(number) });
  });
  return out;
}
