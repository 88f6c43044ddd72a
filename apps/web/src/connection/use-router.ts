'use client';
import { useRouter as useNextRouter } from 'next/navigation';
import { useMemo } from 'react';
import { samePage, useHeldNavigation } from './held-navigation';
import { useAgent } from './store';

interface Router {
  /** Opens a page; while the agent is gone, as soon as it is back. */
  push: (href: string) => void;
  /**
   * Changes the query of this page, which never scrolls for that. Asks the agent for nothing, so it works while the
   * agent is gone.
   */
  replace: (href: string, options?: { scroll: false }) => void;
}

/** The router of a page that stays usable while the agent is gone: Next’s own would load the browser’s error page. */
export function useRouter(): Router {
  const router = useNextRouter();
  return useMemo(() => {
    const push = (href: string): void => {
      const { status, why } = useAgent.getState();
      // An agent of another version answers: its pages can be opened.
      if (status === 'lost' && why !== 'protocol') useHeldNavigation.setState({ held: { href, name: '' } });
      else router.push(href);
    };
    return {
      push,
      replace: (href) => {
        if (samePage(href, location.href)) history.replaceState(null, '', href);
        else push(href);
      },
    };
  }, [router]);
}
