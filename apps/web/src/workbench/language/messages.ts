/** What the editor asks the language service in its worker, and what comes back. Offsets count UTF-16 units. */

export interface Completion {
  label: string;
  /** As the service calls it: `method`, `property`, `const` … */
  kind: string;
  /** Smaller is listed first. */
  sort: string;
  insert?: string;
}

export interface Details {
  /** The declaration on one or a few lines. */
  signature: string;
  docs: string;
  /** `@param`, `@throws` and the like, a line each. */
  tags: string[];
}

export interface TypeProblem {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
}

/** One declaration, with its docs. */
export type ApiMember = Details;

export type ApiKind = 'class' | 'function' | 'interface' | 'type' | 'value';

/** What a program may import: its declaration, or its members where it is a class or an interface. */
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

/** `at`: where it is about. `name`: of a completion whose details are asked for. */
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
