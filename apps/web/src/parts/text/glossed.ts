import {
  SECTIONS,
  type Block,
  type Inline,
  type LabText,
  type LiveValue,
  type SectionId,
} from '@verbslab/labs';
import { spansOf } from '../../ui/term-spans';
import type { TermId } from '../../ui/terms';

/** Text with terms of the glossary marked where each stands first. */
export type Shown =
  | { kind: 'term'; id: TermId; text: string }
  | { kind: 'text' | 'code'; text: string }
  | LiveValue
  | { kind: 'strong' | 'em'; children: Shown[] }
  | { kind: 'link'; href: string; children: Shown[] }
  | { kind: 'panel'; view: string; children: Shown[] }
  | { kind: 'lab'; lab: string; children: Shown[] };

export type ShownBlock =
  | { kind: 'paragraph' | 'heading'; children: Shown[] }
  | { kind: 'list'; ordered: boolean; items: ShownBlock[][] }
  | { kind: 'code'; lang: string; text: string }
  | { kind: 'quote'; blocks: ShownBlock[] }
  | { kind: 'rule' }
  | { kind: 'table'; head: Shown[][]; rows: Shown[][][] };

export type ShownText = Record<SectionId, ShownBlock[]>;

/** Parts of one text, in the order in which they are read. Done where the pages are built. */
export function glossedBlocks(parts: readonly (readonly Block[])[]): ShownBlock[][] {
  const seen = new Set<TermId>();
  const inline = (list: readonly Inline[], plain = false): Shown[] =>
    list.flatMap((one): Shown[] => {
      if (one.kind === 'text' && !plain)
        return spansOf(one.text, seen).map((span) =>
          span.id === null
            ? { kind: 'text', text: span.text }
            : { kind: 'term', id: span.id, text: span.text },
        );
      // A term inside a link would be a button inside a link.
      if ('children' in one)
        return [{ ...one, children: inline(one.children, plain || !['strong', 'em'].includes(one.kind)) }];
      return [one];
    });
  const block = (one: Block): ShownBlock => {
    switch (one.kind) {
      case 'list':
        return { ...one, items: one.items.map((item) => item.map(block)) };
      case 'table':
        return {
          ...one,
          head: one.head.map((cell) => inline(cell, true)),
          rows: one.rows.map((row) => row.map((cell) => inline(cell))),
        };
      case 'quote':
        return { ...one, blocks: one.blocks.map(block) };
      case 'code':
      case 'rule':
        return one;
      case 'paragraph':
        return { ...one, children: inline(one.children) };
      case 'heading':
        return { ...one, children: inline(one.children, true) };
    }
  };
  return parts.map((blocks) => blocks.map(block));
}

/** The text of a lab. */
export function glossed(text: LabText): ShownText {
  const ids = Object.keys(SECTIONS) as SectionId[];
  const shown = glossedBlocks(ids.map((id) => text[id]));
  return Object.fromEntries(ids.map((id, i) => [id, shown[i]])) as ShownText;
}
