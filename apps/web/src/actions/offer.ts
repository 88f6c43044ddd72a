import type { OfferedName } from './table';
import { byKey, type Action, type ActionGroup } from './types';

interface Described extends Pick<Action, 'label' | 'button' | 'keywords'> {
  key?: string;
}

/** Actions that a page can do: each is there while the open page offers it, by its name. */
export function offered<Name extends string>(
  group: ActionGroup,
  described: Readonly<Record<Name, Described>>,
): Record<Name, Action> {
  const actions = Object.entries<Described>(described).map(([name, { key, ...rest }]): [string, Action] => {
    const own = name as OfferedName;
    return [
      name,
      {
        ...{ name, group, ...rest },
        ...(key === undefined ? {} : byKey(key)),
        predicate: ({ page }) => page[own] !== undefined,
        perform: ({ page }) => page[own]?.(),
      },
    ];
  });
  return Object.fromEntries(actions) as Record<Name, Action>;
}
