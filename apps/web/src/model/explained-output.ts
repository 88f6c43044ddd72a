import { Explainer, type Meaning } from '@verbslab/labs/explain';
import type { OutputBlock } from '@verbslab/report/failure';

/** Lines without a meaning of their own together, and each line with one apart. */
export interface OutputPiece {
  text: string;
  meaning: Meaning | null;
}

/**
 * The pieces of each block by its key; blocks of programs that are not known are absent. What both ends print, and what
 * repeats, is explained once; what follows from the figures of a line is said at each.
 */
export function explainBlocks(
  blocks: readonly OutputBlock[],
  commands: readonly (readonly string[])[],
): ReadonlyMap<number, readonly OutputPiece[]> {
  const explainers = commands.map((command) => Explainer.of(command));
  const told = new Set<string>();
  const explained = new Map<number, OutputPiece[]>();
  for (const { key, command, text } of blocks) {
    const explainer = explainers[command];
    if (!explainer) continue;
    const pieces: OutputPiece[] = [];
    for (const line of explainer.lines(text)) {
      const { meaning } = line;
      const news = meaning !== null && !(told.has(meaning.text) && meaning.figures === undefined);
      if (news) {
        pieces.push({
          text: line.text,
          meaning: told.has(meaning.text) ? { ...meaning, text: '' } : meaning,
        });
        told.add(meaning.text);
        continue;
      }
      const last = pieces.at(-1);
      if (last?.meaning === null) last.text += `\n${line.text}`;
      else pieces.push({ text: line.text, meaning: null });
    }
    explained.set(key, pieces);
  }
  return explained;
}
