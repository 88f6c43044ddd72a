/** Text of the page of a lab after a run, as plain text. */
import { labText, liveText, type Block, type Inline, type LiveValue, type ReadRun } from '@verbslab/labs';
import { noResults, type LabDescription, type RunRecord } from '@verbslab/protocol';

/** `value`: text in place of a value of the run. */
function plain(blocks: readonly Block[], value: (value: LiveValue) => string): string {
  const words = (list: readonly Inline[]): string =>
    list
      .map((one) => (one.kind === 'value' ? value(one) : 'children' in one ? words(one.children) : one.text))
      .join('');
  const text = (block: Block): string => {
    switch (block.kind) {
      case 'list':
        return block.items.map((item) => `- ${plain(item, value)}`).join('\n');
      case 'table':
        return [block.head, ...block.rows].map((cells) => cells.map(words).join(' | ')).join('\n');
      case 'quote':
        return plain(block.blocks, value);
      case 'code':
        return block.text;
      case 'rule':
        return '';
      case 'paragraph':
      case 'heading':
        return words(block.children);
    }
  };
  return blocks.map(text).join('\n');
}

/** A value of the text that this run does not have. */
const GAPS = new Set(['–', 'not checked', 'not measured', 'check failed', 'undefined']);

export interface PageText {
  text: string;
  /** Values that the text names and the run lacks: `figure:knee`. */
  gaps: string[];
}

/** The text of a lab with the values of a run. */
export function pageText(lab: LabDescription, record: RunRecord): PageText {
  const run: ReadRun = { record, results: record.result?.results ?? noResults() };
  const gaps = new Set<string>();
  const value = (one: LiveValue): string => {
    const shown = liveText(one, lab, run);
    if (GAPS.has(shown)) gaps.add(`${one.of}:${one.name}`);
    return shown;
  };
  const text = plain(Object.values(labText(lab.id) ?? {}).flat(), value);
  return { text, gaps: [...gaps].sort() };
}
