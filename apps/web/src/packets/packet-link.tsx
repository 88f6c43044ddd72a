import Link from 'next/link';
import type { ReactNode } from 'react';
import { count } from '../format/number';

/** The address of the open capture with a packet chosen, or a filter. */
function hrefOf(run: string | null, what: { packet: number } | { filter: string }): string {
  const query = new URLSearchParams(run === null ? {} : { run });
  for (const [name, value] of Object.entries(what)) query.set(name, String(value));
  return `/packets?${query}`;
}

// Nothing is fetched ahead: the page is there already.
function Here({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      className="num text-accent underline underline-offset-4 pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
    >
      {children}
    </Link>
  );
}

/** Chooses a packet, by its number from 1, in the list of all. */
export function PacketLink({ number, run }: { number: number; run: string | null }) {
  return <Here href={hrefOf(run, { packet: number })}>{count(number)}</Here>;
}

export function FilterLink(props: { filter: string; run: string | null; children: ReactNode }) {
  return <Here href={hrefOf(props.run, { filter: props.filter })}>{props.children}</Here>;
}
