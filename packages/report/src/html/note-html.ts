import type { Block, Inline } from '@verbslab/labs/markdown';
import { el, type Child } from './markup.js';

function inline(one: Inline): Child {
  switch (one.kind) {
    case 'text':
      return one.text;
    case 'code':
      return el('code', {}, one.text);
    case 'strong':
    case 'em':
      return el(one.kind, {}, ...one.children.map(inline));
    case 'link':
      return el('a', { href: one.href, rel: 'noopener noreferrer' }, ...one.children.map(inline));
    case 'panel':
    case 'lab':
      return one.children.map(inline);
    // Only lab texts have values.
    case 'value':
      return null;
  }
}

const cells = (name: 'th' | 'td', row: readonly (readonly Inline[])[]): Child =>
  el('tr', {}, ...row.map((cell) => el(name, {}, ...cell.map(inline))));

/** A note as HTML. */
export function noteHtml(blocks: readonly Block[]): Child {
  return blocks.map((block): Child => {
    switch (block.kind) {
      case 'paragraph':
        return el('p', {}, ...block.children.map(inline));
      case 'heading':
        return el('h4', {}, ...block.children.map(inline));
      case 'code':
        return el('pre', {}, block.text);
      case 'quote':
        return el('blockquote', {}, noteHtml(block.blocks));
      case 'rule':
        return el('hr');
      case 'list':
        return el(
          block.ordered ? 'ol' : 'ul',
          {},
          ...block.items.map((item) => el('li', {}, noteHtml(item))),
        );
      case 'table':
        return el(
          'table',
          {},
          el('thead', {}, cells('th', block.head)),
          el('tbody', {}, ...block.rows.map((row) => cells('td', row))),
        );
    }
  });
}
