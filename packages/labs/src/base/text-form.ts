/** The parts of a lab's text once it is read. Without the reader: pages get the text as data. */

/** The sections in their order, by the id that pages use. */
export const SECTIONS = {
  goals: 'What you will be able to explain',
  happened: 'What happened',
  traps: 'Traps',
  matters: 'Where it matters',
  sources: 'Sources',
} as const;
export type SectionId = keyof typeof SECTIONS;

/**
 * `{{figure:goodput}}`: a figure, or a parameter of the run; a figure of which the sign says the direction (`deviation`: 10.2 %
 * below); whether a check passed, or what it found, as sentences (`finding`); or what a prediction was compared with, in words
 * (`outcome`).
 */
export const VALUE_KINDS = ['figure', 'deviation', 'param', 'check', 'finding', 'outcome'] as const;
export interface LiveValue {
  kind: 'value';
  of: (typeof VALUE_KINDS)[number];
  name: string;
}

export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] }
  | { kind: 'panel'; view: string; children: Inline[] }
  | { kind: 'lab'; lab: string; children: Inline[] }
  | LiveValue;

export type Block =
  | { kind: 'paragraph' | 'heading'; children: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Block[][] }
  | { kind: 'code'; lang: string; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'rule' }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] };

export type LabText = Record<SectionId, Block[]>;
