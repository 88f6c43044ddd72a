import { create } from 'zustand';

/** A page that was asked for while no agent could send it. */
export interface HeldPage {
  href: string;
  /** What the link says; empty where it was no link. */
  name: string;
}

export const useHeldNavigation = create<{ held: HeldPage | null }>(() => ({ held: null }));

/** The parts of a click and of its link that decide. */
export interface FollowedLink {
  href: string;
  target: string;
  download: boolean;
  /** It opens a tab or a window of its own, or it is not the main button. */
  modified: boolean;
}

/** The address in this dashboard for which a click would leave the page; null where it leaves nothing, or goes elsewhere. */
export function leavesFor({ href, target, download, modified }: FollowedLink, here: string): string | null {
  if (modified || download || (target !== '' && target !== '_self')) return null;
  if (!URL.canParse(href, here)) return null;
  const [to, from] = [new URL(href, here), new URL(here)];
  const own = to.pathname + to.search;
  // Files of the agent come as downloads, not as pages.
  if (to.origin !== from.origin || to.pathname.startsWith('/api/')) return null;
  return own === from.pathname + from.search ? null : own + to.hash;
}

const MAX_NAME = 40;

export const nameOfLink = (text: string): string => {
  const name = text.replace(/\s+/g, ' ').trim();
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
};
