// The sentences of a Markdown file.
import { sentencesOf, statesSomething, type Sayer, type Statement } from './statement.js';

/**
 * Line that ends a paragraph: an empty line, a heading, the next item of a list, a row of a table, a comment, a
 * quotation.
 */
const STARTS_ANEW = /^\s*(?:$|#|[-*] |\d+\. |\||<!--|>)/;
const LEAD = /^\s*(?:[-*] (?:\[.\] )?|\d+\. |> ?)?/;

/** A block of text with the line on which it begins. */
interface Block {
  line: number;
  lines: string[];
}

function blocksOf(text: string): (Block & { heading: string })[] {
  const blocks: (Block & { heading: string })[] = [];
  let heading = '';
  let open: Block | null = null;
  let fenced = false;
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trimStart().startsWith('```')) {
      fenced = !fenced;
      open = null;
      continue;
    }
    if (fenced) continue;
    if (STARTS_ANEW.test(line)) open = null;
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    else if (line.trim() === '' || line.startsWith('<!--')) continue;
    else if (open) open.lines.push(line);
    else {
      open = { line: i + 1, lines: [line] };
      blocks.push(Object.assign(open, { heading }));
    }
  }
  return blocks;
}

/** Text of a table row, with all its cells; null for the line below the head. */
const rowOf = (line: string): string | null =>
  /^\s*\|[\s|:-]*\|\s*$/.test(line)
    ? null
    : line
        .trim()
        .replaceAll(/^\|\s*|\s*\|$/g, '')
        .replaceAll(/\s*\|\s*/g, ' | ');

export function markdownSentences(by: Sayer, file: string, text: string): Statement[] {
  return blocksOf(text).flatMap(({ line, lines, heading }) => {
    const row = lines.length === 1 && lines[0]!.trimStart().startsWith('|') ? rowOf(lines[0]!) : undefined;
    if (row !== undefined)
      return row !== null && statesSomething(row) ? [{ by, text: row, about: heading, file, line }] : [];
    const paragraph = lines.map((each, i) => (i === 0 ? each.replace(LEAD, '') : each)).join('\n');
    // A trap quotes a wrong statement and the rest of the item explains it, so both are kept together.
    const said =
      heading === 'Traps' ? [{ text: paragraph.replaceAll(/\s+/g, ' '), at: 0 }] : sentencesOf(paragraph);
    return said.flatMap(({ text: sentence, at }) =>
      statesSomething(sentence)
        ? [
            {
              by,
              text: sentence,
              about: heading,
              file,
              line: line + paragraph.slice(0, at).split('\n').length - 1,
            },
          ]
        : [],
    );
  });
}
