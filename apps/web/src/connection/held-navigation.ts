import { create } from 'zustand';

/** A page that the reader asked for while the agent was gone. */
export interface HeldPage {
  href: string;
  /** Text of the link; empty if it was no link. */
  name: string;
}

export const useHeldNavigation = create<{ held: HeldPage | null }>(() => ({ held: null }));

/** Properties of a click and its link that determine where it leads. */
export interface FollowedLink {
  href: string;
  target: string;
  download: boolean;
  /** True if the click opens another tab or window, or is not from the main button. */
  modified: boolean;
}

/** Address in this dashboard that a click leads to; null if the page stays or the link leads elsewhere. */
export function leavesFor({ href, target, download, modified }: FollowedLink, here: string): string | null {
  if (modified || download || (target !== '' && target !== '_self')) return null;
  if (!URL.canParse(href, here)) return null;
  const [to, from] = [new URL(href, here), new URL(here)];
  const own = to.pathname + to.search;
  // Files of the agent are downloads, not pages.
  if (to.origin !== from.origin || to.pathname.startsWith('/api/')) return null;
  return own === from.pathname + from.search ? null : own + to.hash;
}

const MAX_NAME = 40;

export const nameOfLink = (text: string): string => {
  const name = text.replace(/\s+/g, ' ').trim();
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
};
