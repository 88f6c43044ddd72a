import type { Action, ActionContext } from './types';

/** One for each paired host. The page asks before it does so. */
export const removeHost = ({ page }: ActionContext): Action[] =>
  (page.hosts ?? []).flatMap(({ name, remove: perform }) =>
    perform
      ? {
          name: `remove-host-${name}`,
          label: `Remove ${name}`,
          group: 'List',
          keywords: 'forget unpair delete host peer agent',
          predicate: () => true,
          perform,
        }
      : [],
  );
