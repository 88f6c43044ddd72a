import {
  ChartLine,
  CodeXml,
  FlaskConical,
  History,
  House,
  Lightbulb,
  ListChecks,
  Network,
  NotebookPen,
  Server,
  SquareTerminal,
  type LucideIcon,
} from 'lucide-react';

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
}

const item = (href: string, label: string, icon: LucideIcon): NavItem => ({ href, label, icon });

/** Pages of the rail: to learn, to work with runs, and to look things up. */
export const NAV_GROUPS: readonly (readonly NavItem[])[] = [
  [
    item('/', 'Home', House),
    item('/labs', 'Labs', FlaskConical),
    item('/workbench', 'Workbench', CodeXml),
    item('/labs/exercises', 'Exercises', ListChecks),
  ],
  [
    item('/runs', 'Runs', History),
    item('/packets', 'Packets', Network),
    item('/tools', 'Tools', SquareTerminal),
    item('/sweeps', 'Sweeps', ChartLine),
  ],
  [
    item('/explanations', 'Explanations', Lightbulb),
    item('/notebook', 'Notebook', NotebookPen),
    item('/hosts', 'Hosts', Server),
  ],
];

const NAV = NAV_GROUPS.flat();

/** The bar of a phone has room for five pages; its menu has the others. */
const IN_BAR = new Set(['/', '/labs', '/runs', '/packets', '/notebook']);
export const BAR = NAV.filter(({ href }) => IN_BAR.has(href));
export const MORE = NAV.filter(({ href }) => !IN_BAR.has(href));

/** The page of the rail that `path` belongs to: the longest address that it begins with. */
export function currentHref(path: string | null): string | null {
  if (path === null) return null;
  const around = NAV.filter(({ href }) => path === href || (href !== '/' && path.startsWith(`${href}/`)));
  return around.sort((a, b) => b.href.length - a.href.length)[0]?.href ?? null;
}
