'use client';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { leavesFor, nameOfLink, useHeldNavigation } from './held-navigation';
import { useAgent } from './store';

/**
 * While the agent is gone, a link would lead to the browser's error page, and with this page its sign-in would be lost.
 * So the page stays, and goes there once the agent answers again. Renders nothing.
 */
export function NavigationKeeper() {
  const router = useRouter();
  const status = useAgent((s) => s.status);
  const why = useAgent((s) => s.why);
  // An agent of another version answers: its pages can be opened.
  const away = status === 'lost' && why !== 'protocol';
  useEffect(() => {
    if (!away) return undefined;
    function onClick(e: MouseEvent) {
      const link = e.target instanceof Element ? e.target.closest('a') : null;
      if (!link || e.defaultPrevented) return;
      const modified = e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey;
      const { href, target } = link;
      const to = leavesFor(
        { href, target, download: link.hasAttribute('download'), modified },
        location.href,
      );
      if (to === null) return;
      e.preventDefault();
      const name = nameOfLink(link.getAttribute('aria-label') ?? link.textContent ?? '');
      useHeldNavigation.setState({ held: { href: to, name } });
    }
    // Before any handler of the page.
    addEventListener('click', onClick, true);
    return () => removeEventListener('click', onClick, true);
  }, [away]);
  useEffect(() => {
    const { held } = useHeldNavigation.getState();
    if (status !== 'open' || !held) return;
    useHeldNavigation.setState({ held: null });
    router.push(held.href);
  }, [status, router]);
  return null;
}
