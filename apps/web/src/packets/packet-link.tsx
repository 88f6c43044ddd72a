'use client';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { count } from '../format/number';

/** A link within the page. Nothing is fetched ahead: the page is there already. */
function Here({ change, children }: { change: (query: URLSearchParams) => void; children: ReactNode }) {
  const query = new URLSearchParams(useSearchParams());
  change(query);
  return (
    <Link
      href={`/packets?${query}`}
      prefetch={false}
      scroll={false}
      className="num text-accent underline underline-offset-4 pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
    >
      {children}
    </Link>
  );
}

/** Chooses a packet, by its number from 1, in the list of all. */
export function PacketLink({ number }: { number: number }) {
  return (
    <Here
      change={(query) => {
        query.set('packet', String(number));
        query.delete('filter');
      }}
    >
      {count(number)}
    </Here>
  );
}

export function FilterLink({ filter, children }: { filter: string; children: ReactNode }) {
  return (
    <Here
      change={(query) => {
        query.set('filter', filter);
        query.delete('packet');
      }}
    >
      {children}
    </Here>
  );
}
