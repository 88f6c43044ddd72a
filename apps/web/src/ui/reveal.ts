'use client';
import { useEffect, useEffectEvent } from 'react';

const REVEAL = 'reveal';

/** Opens the fold that is or has the element of this id, such as `panel-verbs`, and scrolls to the element. */
export function reveal(id: string): void {
  window.dispatchEvent(new CustomEvent(REVEAL, { detail: id }));
}

/** Calls `show` with each id that is to be revealed: by `reveal`, by the address as the page opens, and by its links. */
export function useReveal(show: (id: string) => void): void {
  const asked = useEffectEvent(show);
  useEffect(() => {
    const byAddress = () => {
      if (location.hash !== '') asked(decodeURIComponent(location.hash.slice(1)));
    };
    const byCall = (e: Event) => asked((e as CustomEvent<string>).detail);
    byAddress();
    window.addEventListener('hashchange', byAddress);
    window.addEventListener(REVEAL, byCall);
    return () => {
      window.removeEventListener('hashchange', byAddress);
      window.removeEventListener(REVEAL, byCall);
    };
  }, []);
}
