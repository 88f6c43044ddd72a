import Link from 'next/link';
import type { ReactNode } from 'react';
import { packetsHref } from '../addresses';
import { count } from '../format/number';

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
  return <Here href={packetsHref(run, { packet: number })}>{count(number)}</Here>;
}

export function FilterLink(props: { filter: string; run: string | null; children: ReactNode }) {
  return <Here href={packetsHref(props.run, { filter: props.filter })}>{props.children}</Here>;
}
