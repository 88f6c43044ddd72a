import {
  FlaskConical,
  History,
  House,
  Lightbulb,
  Network,
  NotebookPen,
  Server,
  type LucideIcon,
} from 'lucide-react';

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
  /** The bar of a phone has no room for it; the page of the labs leads there. */
  wide?: true;
}

/** Rooms of the house. Only what does something today is listed. */
export const NAV: readonly NavItem[] = [
  { href: '/', label: 'Home', icon: House },
  { href: '/labs', label: 'Labs', icon: FlaskConical },
  { href: '/explanations', label: 'Explanations', icon: Lightbulb, wide: true },
  { href: '/runs', label: 'Runs', icon: History },
  { href: '/packets', label: 'Packets', icon: Network },
  { href: '/notebook', label: 'Notebook', icon: NotebookPen },
  { href: '/hosts', label: 'Hosts', icon: Server },
];

export function isCurrent(item: NavItem, path: string): boolean {
  return path === item.href || (item.href !== '/' && path.startsWith(`${item.href}/`));
}
