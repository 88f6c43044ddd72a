/** What the page of the clinic offers for each case: its category, and the answers that its symptoms allow. */
import type { FailureCase } from '../failures/case.js';
import { CASES } from '../failures/cases/index.js';

export const CATEGORIES = [
  { id: 'keys', title: 'Keys and bounds' },
  { id: 'rights', title: 'Rights and limits' },
  { id: 'queues', title: 'Queues and credits' },
  { id: 'setup', title: 'States and attributes' },
  { id: 'timers', title: 'Timers and peers' },
  { id: 'silent', title: 'Success, and wrong data' },
  { id: 'functions', title: 'Shipped functions' },
] as const;
export type CategoryId = (typeof CATEGORIES)[number]['id'];

type CaseId = (typeof CASES)[number]['id'];

const CATEGORY: Readonly<Record<string, CategoryId>> = {
  'unregistered-memory': 'keys',
  'wrong-sge': 'keys',
  'wrong-rkey': 'keys',
  'foreign-rkey': 'keys',
  'range-overrun': 'keys',
  'missing-right': 'rights',
  'wrong-qkey': 'rights',
  'memory-limit': 'rights',
  'too-many-sges': 'queues',
  'full-queue': 'queues',
  'never-signaled': 'queues',
  'never-polled': 'queues',
  'cq-overrun': 'queues',
  'missing-recv': 'queues',
  'recv-never': 'queues',
  'late-recv': 'queues',
  'wrong-state': 'setup',
  'wrong-gid-index': 'setup',
  'rd-atomic-zero': 'setup',
  'mtu-mismatch': 'setup',
  'psn-mismatch': 'setup',
  'rnr-timer-zero': 'timers',
  'timeout-zero': 'timers',
  'peer-gone': 'timers',
  overwritten: 'silent',
  remapped: 'silent',
} satisfies Partial<Record<CaseId, CategoryId>>;

/** Number of answers that a case offers. */
export const ANSWERS = 5;

export interface ClinicCase {
  id: string;
  name: string;
  symptom: string;
  category: CategoryId;
  /** Cases to choose among, this one included, in the order of the catalog. */
  answers: readonly string[];
}

const categoryOf = ({ id }: FailureCase): CategoryId => CATEGORY[id] ?? 'functions';

/** Likeness of the symptoms of two cases: the larger, the harder to tell apart. */
function likeness(a: FailureCase, b: FailureCase): number {
  const [one, other] = [a.expected, b.expected];
  const equal: [boolean, number][] = [
    [one.status === other.status, 3],
    [one.nak !== undefined && one.nak === other.nak, 3],
    [one.refused?.errno === other.refused?.errno, 2],
    [one.refused !== undefined && one.refused.call === other.refused?.call, 2],
    [(one.noPackets ?? false) === (other.noPackets ?? false), 1],
    [one.clientEvent === other.clientEvent && one.serverEvent === other.serverEvent, 1],
    [one.code === other.code, 2],
    [categoryOf(a) === categoryOf(b), 1],
  ];
  return equal.reduce((sum, [is, weight]) => sum + (is ? weight : 0), 0);
}

/** The case and those with the most similar symptoms. */
function answersOf(one: FailureCase): string[] {
  const all: readonly FailureCase[] = CASES;
  const others = all
    .filter((other) => other !== one)
    .map((other) => ({ id: other.id, like: likeness(one, other) }))
    .sort((a, b) => b.like - a.like)
    .slice(0, ANSWERS - 1)
    .map(({ id }) => id);
  return all.map(({ id }) => id).filter((id) => id === one.id || others.includes(id));
}

/** Every case of the clinic, as its page shows it. */
export const CLINIC_CASES: readonly ClinicCase[] = CASES.map((one: FailureCase) => ({
  id: one.id,
  name: one.name,
  symptom: one.symptom,
  category: categoryOf(one),
  answers: answersOf(one),
}));
