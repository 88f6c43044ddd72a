/** Messages between the editor and the language service in its worker. Offsets count UTF-16 units. */

export interface Completion {
  label: string;
  /** Kind in the service's words: `method`, `property`, `const` … */
  kind: string;
  /** Sort key; smaller ones come first. */
  sort: string;
  insert?: string;
}

export interface Details {
  /** Declaration on one or a few lines. */
  signature: string;
  docs: string;
  /** Tags such as `@param` and `@throws`, a line each. */
  tags: string[];
}

export interface TypeProblem {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
}

/** A declaration with its docs. */
export type ApiMember = Details;

export type ApiKind = 'class' | 'function' | 'interface' | 'type' | 'value';

/** An export that a program may import: its declaration, or the members of a class or an interface. */
export interface ApiEntry extends ApiMember {
  name: string;
  kind: ApiKind;
  members: ApiMember[];
}

export interface Answers {
  completions: { from: number; list: Completion[] } | null;
  details: Details | null;
  hover: (Details & { from: number; to: number }) | null;
  signature: (Details & { from: number; parameter: number }) | null;
  problems: TypeProblem[];
  api: ApiEntry[];
}
export type Question = keyof Answers;

/** `at`: offset of the question. `name`: of a completion whose details are requested. */
export interface Asked {
  id: number;
  question: Question;
  text: string;
  at: number;
  name?: string;
}

export type Answered =
  | { id: number; ok: true; answer: Answers[Question] }
  | { id: number; ok: false; message: string };
