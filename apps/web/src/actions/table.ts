import { GO } from './go';
import { ADD_HOST, DEVICES, MACHINES, ofHosts } from './hosts';
import { LIST } from './list';
import { EXPORTS, RECORD, RUN, SIMULATION } from './run';
import { SWEEP } from './sweeps';
import type { Action, ActionContext, KeyPress } from './types';
import { FRAME, ofPins, VIEW } from './view';

/** Actions that a page offers, by name: its handle has a function of the same name. */
export const OFFERED = {
  ...ADD_HOST,
  ...RUN,
  ...SIMULATION,
  ...SWEEP,
  ...MACHINES,
  ...EXPORTS,
  ...RECORD,
  ...VIEW,
  ...LIST,
  ...DEVICES,
};

export type OfferedName = keyof typeof OFFERED;

/** All actions, in the order of the palette and of the key sheet. */
export const ACTIONS: readonly Action[] = [
  ...GO,
  ...[ADD_HOST, RUN, SIMULATION, SWEEP, MACHINES, EXPORTS, RECORD, VIEW].flatMap((group) =>
    Object.values<Action>(group),
  ),
  ...FRAME,
  ...[LIST, DEVICES].flatMap((group) => Object.values<Action>(group)),
];

/** Actions that there are once for each thing of its kind on the page. */
const OF_EACH: readonly ((ctx: ActionContext) => Action[])[] = [ofHosts, ofPins];

export function available(
  ctx: ActionContext,
  actions: readonly Action[] = [...ACTIONS, ...OF_EACH.flatMap((each) => each(ctx))],
): Action[] {
  return actions.filter((a) => a.predicate?.(ctx) ?? true);
}

/** The action that a key press means here and now; null for none, and with a warning where several would answer. */
export function match(
  press: KeyPress,
  ctx: ActionContext,
  inField: boolean,
  actions: readonly Action[] = ACTIONS,
): Action | null {
  const [first = null, ...others] = available(ctx, actions).filter(
    (a) => (a.inFields || !inField) && a.keyTest?.(press),
  );
  if (others.length === 0) return first;
  console.warn(
    `Several actions answer to ${press.key}: ${[first!, ...others].map(({ name }) => name).join(', ')}.`,
  );
  return null;
}

/** Keys that begin a sequence. */
export const PREFIXES: ReadonlySet<string> = new Set(['g']);
