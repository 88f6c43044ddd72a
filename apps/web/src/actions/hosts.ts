import { offered } from './offer';
import type { Action, ActionContext } from './types';

/** Pairs a host. Opens the page with the form if the form is not on this page. */
export const ADD_HOST = {
  'add-host': {
    name: 'add-host',
    label: 'Add host',
    group: 'Go',
    keywords: 'pair peer agent join string machine',
    perform: (ctx) => (ctx.page['add-host'] ?? (() => ctx.navigate('/hosts')))(),
  },
} satisfies Record<string, Action>;

/** The virtual machines of the agent’s host. */
export const MACHINES = offered('Run', {
  'start-machines': {
    label: 'Start two machines',
    keywords: 'vm virtual machines qemu rxe softroce up boot',
  },
  'cancel-machines': { label: 'Cancel the start', keywords: 'vm virtual machines stop abort' },
  'stop-machines': { label: 'Stop the machines', keywords: 'vm virtual machines qemu down end delete' },
});

/** The devices of all hosts. */
export const DEVICES = offered('List', {
  'refresh-devices': { label: 'Refresh devices', keywords: 'hosts peers ask again rescan' },
});

export const CHECK_PATH = 'Check the path';

/** Actions on each paired host. The page asks before it removes a host. */
export const ofHosts = ({ page: { hosts = [] } }: ActionContext): Action[] => [
  ...hosts.flatMap(({ name, checkPath }) =>
    ofHost(checkPath, `check-path-${name}`, `${CHECK_PATH} to ${name}`, 'reach ping mtu test host peer'),
  ),
  ...hosts.flatMap(({ name, remove }) =>
    ofHost(remove, `remove-host-${name}`, `Remove ${name}`, 'forget unpair delete host peer agent'),
  ),
];

const ofHost = (perform: (() => void) | undefined, name: string, label: string, keywords: string): Action[] =>
  perform ? [{ name, label, group: 'List', keywords, predicate: () => true, perform }] : [];
