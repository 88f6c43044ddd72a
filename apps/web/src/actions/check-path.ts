import type { Action, ActionContext } from './types';

export const CHECK_PATH = 'Check the path';

/** One for each paired host that can be reached. */
export const checkPath = ({ page }: ActionContext): Action[] =>
  (page.hosts ?? []).flatMap(({ name, checkPath: perform }) =>
    perform
      ? {
          name: `check-path-${name}`,
          label: `${CHECK_PATH} to ${name}`,
          group: 'List',
          keywords: 'reach ping mtu test host peer',
          predicate: () => true,
          perform,
        }
      : [],
  );
