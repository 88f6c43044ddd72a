/** Calls of ibv_modify_qp in a run, by the chosen state or transition. Pure functions. */
import { noResults, QP_ATTR_BITS, type LabResults, type ResultSpecs, type Row } from '@verbslab/protocol';
import { nameOf, STATES, TRANSITIONS, type State, type Transition } from './transitions';

export const DEFAULTS = { at: 'INIT-RTR' };
export type Using = typeof DEFAULTS;

export const SPECS: ResultSpecs = {
  figures: [
    { name: 'granted', label: 'Calls that the device granted here' },
    { name: 'refused', label: 'Calls that it refused here' },
  ],
  tables: [
    {
      name: 'calls',
      label: 'What the run did here',
      text: 'Every ibv_modify_qp of the client at the chosen place, in order. The call answers only EINVAL; the words before it are those of Verbs Lab for this error. “Why refused” compares attr_mask with what the transition requires and allows. Where the mask is right, see “Asked for”.',
      columns: [
        { name: 'from', label: 'State before' },
        { name: 'what', label: 'Asked for' },
        { name: 'mask', label: 'attr_mask' },
        { name: 'answer', label: 'Answer' },
        { name: 'why', label: 'Why refused' },
        { name: 'to', label: 'State after' },
      ],
    },
  ],
};

const ASKED = new RegExp(`\\b(${STATES.join('|')})\\b`);

/** State that a call asked for, from the lab's words: `RTR without AV`, `Straight to RTS`. */
export const askedFor = (row: Row): State | null => (ASKED.exec(String(row.what))?.[1] as State) ?? null;

/** A refused call leaves the QP in its state. */
const granted = (row: Row): boolean => row.answer === 'Granted.';

/** State or transition with this name in the address. */
export function chosen(at: string): { state: State } | { transition: Transition } {
  const state = STATES.find((one) => one === at);
  if (state) return { state };
  return { transition: TRANSITIONS.find((one) => nameOf(one) === at) ?? TRANSITIONS[1]! };
}

const belongs = (row: Row, { from, to, automatic }: Transition): boolean =>
  !automatic && (from === null || row.from === from) && askedFor(row) === to;

function callsAt({ tables }: LabResults, at: string): Row[] {
  const rows = tables.calls ?? [];
  const what = chosen(at);
  return rows.filter((row) => ('state' in what ? row.from === what.state : belongs(row, what.transition)));
}

const bits = (names: readonly string[]): number =>
  names.reduce((mask, name) => mask | (1 << QP_ATTR_BITS[name as keyof typeof QP_ATTR_BITS]), 0);

const namesIn = (mask: number): string =>
  Object.entries(QP_ATTR_BITS)
    .filter(([, bit]) => mask & (1 << bit))
    .map(([name]) => name)
    .join(', ');

/** Reason for a refusal according to ibv_modify_qp(3); null for a granted call. */
export function whyRefused(row: Row): string | null {
  if (granted(row)) return null;
  const to = askedFor(row);
  const transition = TRANSITIONS.find(
    (one) => !one.automatic && one.to === to && (one.from === null || one.from === row.from),
  );
  if (!transition) return `No transition from ${row.from} to ${to}`;
  const mask = Number(row.mask);
  const required = bits(['STATE', ...transition.required]);
  const missing = namesIn(required & ~mask);
  const extra = namesIn(mask & ~(required | bits(transition.optional)));
  if (missing) return `Lacks ${missing}`;
  return extra ? `Not allowed here: ${extra}` : 'A value; the mask is right';
}

/** Number of granted and of refused calls of a transition. */
export function countsOf(results: LabResults, at: string): { granted: number; refused: number } {
  const rows = callsAt(results, at);
  const yes = rows.filter(granted).length;
  return { granted: yes, refused: rows.length - yes };
}

export function compute(results: LabResults, { at }: Using): LabResults {
  const found = noResults();
  const counts = countsOf(results, at);
  found.figures = { granted: { value: counts.granted }, refused: { value: counts.refused } };
  found.tables.calls = callsAt(results, at).map((row) => ({ ...row, why: whyRefused(row) }));
  return found;
}
