import type { Action, ActionContext, Pin } from './types';

/** What the button of a panel or a track says. */
export const pinLabel = ({ title, pinned }: Pick<Pin, 'title' | 'pinned'>): string =>
  pinned ? `Unpin: ${title}` : `Pin to the top: ${title}`;

/** One for each panel of a run, and for each track of its timeline. */
export const togglePin = ({ page }: ActionContext): Action[] =>
  (page.pins ?? []).map((pin) => ({
    name: `pin-${pin.id}`,
    label: pinLabel(pin),
    group: 'View',
    keywords: `keep in sight ${pin.kind}`,
    predicate: () => true,
    perform: pin.toggle,
  }));
