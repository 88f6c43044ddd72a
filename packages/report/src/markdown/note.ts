import type { Block, Inline } from '@verbslab/labs/markdown';
import { codeBlock, codeSpan, escapeInline, escapeStarts, row } from './escape.js';

function inline(list: readonly Inline[]): string {
  return list
    .map((one) => {
      switch (one.kind) {
        case 'text':
          return escapeInline(one.text).replaceAll('\n', '  \n');
        case 'code':
          return codeSpan(one.text);
        case 'strong':
          return `**${inline(one.children)}**`;
        case 'em':
          return `*${inline(one.children)}*`;
        case 'link':
          return `[${inline(one.children)}](<${one.href.replace(/[<>\s\\]/g, encodeURIComponent)}>)`;
        case 'panel':
        case 'lab':
          return inline(one.children);
        // Only lab texts have values.
        case 'value':
          return '';
      }
    })
    .join('');
}

/** A table cell. A bar would end the cell even inside code, and so would the end of the line. */
const cell = (list: readonly Inline[]): string =>
  inline(list)
    .replace(/\s*\n\s*/g, ' ')
    .replace(/(?<!\\)\|/g, '\\|');

const indented = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, i) => (i === 0 ? first : line === '' ? rest.trimEnd() : rest) + line)
    .join('\n');

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return escapeStarts(inline(block.children));
    case 'heading':
      return `#### ${inline(block.children)}`;
    case 'code':
      return codeBlock(block.text);
    case 'quote':
      return indented(noteMarkdown(block.blocks), '> ', '> ');
    case 'rule':
      return '---';
    case 'list':
      return block.items
        .map((item, i) => {
          const mark = block.ordered ? `${i + 1}. ` : '- ';
          return indented(noteMarkdown(item), mark, ' '.repeat(mark.length));
        })
        .join('\n');
    case 'table':
      return [
        row(block.head.map(cell)),
        row(block.head.map(() => '---')),
        ...block.rows.map((cells) => row(cells.map(cell))),
      ].join('\n');
  }
}

/** A note as Markdown again, with only what the dashboard shows. */
export const noteMarkdown = (blocks: readonly Block[]): string => blocks.map(blockText).join('\n\n');
