/** What the catalog is to show: topics, what each expects, and where that is found. */

/** Results, checks and questions of a lab that show it. */
export interface Shown {
  lab: string;
  checks?: readonly string[];
  figures?: readonly string[];
  tables?: readonly string[];
  curves?: readonly string[];
  selfChecks?: readonly string[];
  variations?: readonly string[];
}

/** A line of a test that asserts it. `says`: text of that file. */
export interface Asserted {
  test: string;
  says: string;
}

/** One thing that a topic expects: shown by labs, asked by exercises, asserted by tests, or open with a reason. */
export interface Expected {
  what: string;
  labs: readonly Shown[];
  /** Ids of exercises. */
  exercises: readonly string[];
  tests: readonly Asserted[];
  /** Why nothing shows it yet. */
  open: string | null;
}

export interface Topic {
  id: string;
  title: string;
  expected: readonly Expected[];
}

export type TopicState = 'covered' | 'partly' | 'open';

export function topicState({ expected }: Topic): TopicState {
  const open = expected.filter((one) => one.open !== null).length;
  return open === 0 ? 'covered' : open < expected.length ? 'partly' : 'open';
}

/** The labs that a topic names, each once. */
export const labsOf = ({ expected }: Topic): string[] => [
  ...new Set(expected.flatMap(({ labs }) => labs.map(({ lab }) => lab))),
];

export const shown = (what: string, labs: readonly Shown[], ...tests: readonly Asserted[]): Expected => ({
  what,
  labs,
  exercises: [],
  tests,
  open: null,
});

/** What is calculated, or answered with words, rather than measured. */
export const asked = (
  what: string,
  exercises: readonly string[],
  ...tests: readonly Asserted[]
): Expected => ({ what, labs: [], exercises, tests, open: null });

export const open = (what: string, why: string): Expected => ({
  what,
  labs: [],
  exercises: [],
  tests: [],
  open: why,
});

/** A topic of which nothing is in the catalog. */
export const missing = (id: string, title: string, why: string): Topic => ({
  id,
  title,
  expected: [open(title, why)],
});

/** The facts that a run of the whole catalog must find. */
export const fact = (file: string, says: string): Asserted => ({
  test: `apps/agent/test/catalogue/${file}.ts`,
  says,
});
