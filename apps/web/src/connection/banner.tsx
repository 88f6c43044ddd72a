'use client';
import { useEffect, useState } from 'react';
import { Button } from '../ui/button';
import { useHeldNavigation } from './held-navigation';
import { retryNow, useAgent } from './store';

/**
 * Says that the agent is gone and what happens next. The banner overlays the bottom of the page, so that nothing moves
 * when it appears and the page's title and buttons stay visible.
 */
export function ConnectionBanner() {
  const status = useAgent((s) => s.status);
  const why = useAgent((s) => s.why);
  if (status !== 'lost') return null;
  return (
    <div
      role="alert"
      className="fixed inset-x-0 bottom-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-error bg-error-wash px-4 py-2 max-sm:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] sm:left-14 lg:left-52 lg:px-6"
    >
      {why === 'unauthorized' ? (
        <p>
          <strong className="font-medium">You are not signed in to this agent.</strong> Run{' '}
          <code className="num">npx verbslab open</code> in the Verbs Lab folder on its host.
        </p>
      ) : why === 'refused' ? (
        <p>
          <strong className="font-medium">The agent refuses this connection.</strong> Too many pages or
          programs are connected, or this address is not the agent’s own. Close other pages, and open the
          dashboard with <code className="num">npx verbslab open</code> in the Verbs Lab folder.
        </p>
      ) : why === 'protocol' ? (
        <p>
          <strong className="font-medium">This page and the agent are different versions.</strong> Reload the
          page.
        </p>
      ) : (
        <p>
          <strong className="font-medium">The agent does not answer.</strong> If it has stopped, run{' '}
          <code className="num">npm start</code> in the Verbs Lab folder. This page reconnects by itself.
        </p>
      )}
      <HeldLink />
      {why === 'protocol' ? (
        <Button onClick={() => location.reload()}>Reload</Button>
      ) : (
        <>
          <Countdown />
          <Button onClick={retryNow}>Try now</Button>
        </>
      )}
    </div>
  );
}

/** The page that the reader tried to open, and a button to stay here. */
function HeldLink() {
  const held = useHeldNavigation((s) => s.held);
  if (!held) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-4" data-held={held.href}>
      <span>
        {held.name === '' ? 'The page that you asked for' : `“${held.name}”`} opens as soon as the agent
        answers.
      </span>
      <Button onClick={() => useHeldNavigation.setState({ held: null })}>Stay here</Button>
    </p>
  );
}

function Countdown() {
  const retryAt = useAgent((s) => s.retryAt);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  if (retryAt === null) return <span className="text-ink-2">Trying…</span>;
  return (
    <span className="num text-13 text-ink-2">
      next try in {Math.max(0, Math.ceil((retryAt - now) / 1000))} s
    </span>
  );
}
