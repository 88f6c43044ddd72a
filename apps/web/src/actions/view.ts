import { offered } from './offer';
import { byKey, type Action, type ActionContext, type Pin } from './types';

/** Actions that change the view of the page. */
export const VIEW = offered('View', {
  'pause-view': {
    label: 'Freeze the view, or follow the run',
    keywords: 'pause resume hold live still',
    key: ' ',
  },
  'toggle-tables': {
    label: 'Show the tables behind the charts',
    keywords: 'figures numbers data accessible chart',
    key: 't',
  },
  'reset-layout': { label: 'Reset the panels', keywords: 'layout default resize pin back' },
});

/** Actions of the frame around every page. */
export const FRAME: readonly Action[] = [
  {
    name: 'toggle-theme',
    label: 'Switch between dark and light theme',
    group: 'View',
    keywords: 'theme color night day appearance',
    ...byKey('d'),
    perform: (ctx) => ctx.setTheme(ctx.dark ? 'light' : 'dark'),
  },
  {
    name: 'system-theme',
    label: 'Use the system theme',
    group: 'View',
    keywords: 'theme dark light automatic appearance',
    perform: (ctx) => ctx.setTheme('system'),
  },
  {
    name: 'open-palette',
    label: 'Open the command palette',
    group: 'View',
    keywords: 'commands actions search',
    keys: 'Ctrl K',
    keyTest: (p) => p.key.toLowerCase() === 'k' && p.mod && !p.alt && !p.shift,
    inFields: true,
    perform: (ctx) => ctx.openPalette(),
  },
  {
    name: 'show-keys',
    label: 'Keyboard shortcuts',
    group: 'View',
    keywords: 'help keys',
    ...byKey('?'),
    perform: (ctx) => ctx.openKeys(),
  },
  {
    name: 'take-tour',
    label: 'Take the tour: a guided WRITE',
    group: 'Go',
    keywords: 'help introduction first new guide',
    perform: (ctx) => ctx.navigate('/tour'),
  },
];

/** Label of the pin button of a panel or a track. */
export const pinLabel = ({ title, pinned }: Pick<Pin, 'title' | 'pinned'>): string =>
  pinned ? `Unpin: ${title}` : `Pin to the top: ${title}`;

/** Pins each panel of a run and each track of its timeline. */
export const ofPins = ({ page }: ActionContext): Action[] =>
  (page.pins ?? []).map((pin) => ({
    name: `pin-${pin.id}`,
    label: pinLabel(pin),
    group: 'View',
    keywords: `keep in sight ${pin.kind}`,
    predicate: () => true,
    perform: pin.toggle,
  }));
