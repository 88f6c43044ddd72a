/** Texts of a lab as plain words, for lines that say what a section holds. */
import type { LabDescription } from '@verbslab/protocol';
import type { Block, Inline, LabText } from '@verbslab/labs';
import { spansOf } from '../../ui/term-spans';
import type { TermId } from '../../ui/terms';
import type { Shown, ShownBlock } from './glossed';

type Word = Inline | Shown;
type Part = Block | ShownBlock;

/** A value of a run has no words of its own. */
const wordText = (one: Word): string =>
  'children' in one ? wordsText(one.children) : 'text' in one ? one.text : '…';

const wordsText = (list: readonly Word[]): string => list.map(wordText).join('');

function blockText(block: Part): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return wordsText(block.children);
    case 'code':
      return block.text;
    case 'rule':
      return '';
    case 'quote':
      return plainText(block.blocks);
    case 'list':
      return block.items.map((item) => plainText(item)).join(' ');
    case 'table':
      return [block.head, ...block.rows].flatMap((row) => row.map((cell) => wordsText(cell))).join(' ');
  }
}

export const plainText = (list: readonly Part[]): string => list.map(blockText).join(' ');

/** The first sentence of a section. */
export const firstSentence = (list: readonly Part[]): string =>
  /^.+?[.?!](?=\s|$)/.exec(plainText(list.slice(0, 1)))?.[0] ?? plainText(list.slice(0, 1));

/** Items of the lists of a section, as plain words. */
export const listItems = (list: readonly Part[]): string[] =>
  list.flatMap((block) => (block.kind === 'list' ? block.items.map((item) => plainText(item)) : []));

/** Names of the links in a section. */
export function linkNames(list: readonly ShownBlock[]): string[] {
  const names = (words: readonly Shown[]): string[] =>
    words.flatMap((one) =>
      one.kind === 'link' ? [wordsText(one.children)] : 'children' in one ? names(one.children) : [],
    );
  return list.flatMap((block) => {
    if (block.kind === 'paragraph') return names(block.children);
    return block.kind === 'list' ? block.items.flatMap(linkNames) : [];
  });
}

/** Terms of the field in all texts about a lab, in the order of appearance. */
export function termsOfLab(lab: LabDescription, text: LabText | null): TermId[] {
  const seen = new Set<TermId>();
  const texts = [
    lab.summary,
    ...(lab.predictions ?? []).map((one) => one.text),
    ...Object.values(text ?? {}).map(plainText),
    ...[lab.roles, lab.checks, lab.steps ?? []].flatMap((list) => list.map((one) => one.text ?? '')),
  ];
  for (const one of texts) spansOf(one, seen);
  return [...seen];
}
