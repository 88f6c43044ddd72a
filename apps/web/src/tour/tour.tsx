'use client';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { GAP, placeCard, type Box, type Place } from './place-card';
import { STOPS } from './stops';
import { useTour } from './tour-store';

const CARD_WIDTH = 320;

/** Where an element is now, and after every change of the window. */
function useBox(selector: string): Box | null {
  const [box, setBox] = useState<Box | null>(null);
  useLayoutEffect(() => {
    const look = () => {
      const shown = [...document.querySelectorAll(selector)].find((el) => el.getClientRects().length > 0);
      const rect = shown?.getBoundingClientRect();
      setBox(rect ? { left: rect.left, top: rect.top, width: rect.width, height: rect.height } : null);
    };
    look();
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, [selector]);
  return box;
}

/** A card that goes from room to room. The page behind stays usable; leaving is one key or one click, at any time. */
export default function Tour() {
  const index = useTour((s) => s.stop) ?? 0;
  const { move, leave } = useTour.getState();
  const stop = STOPS[index]!;
  const last = index === STOPS.length - 1;
  const box = useBox(stop.at);
  const card = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const path = usePathname();
  const begun = useRef(path);

  // Whoever goes to another page has left.
  useEffect(() => {
    if (path !== begun.current) leave();
  }, [path, leave]);

  useLayoutEffect(() => {
    if (!box || !card.current) return;
    const { width, height } = card.current.getBoundingClientRect();
    // Without the scroll bar.
    const { clientWidth, clientHeight } = document.documentElement;
    setPlace(placeCard(box, { width, height }, { width: clientWidth, height: clientHeight }));
  }, [box, index]);

  // Keys go to the card, and back to where they were when it is gone.
  useEffect(() => {
    const before = document.activeElement;
    card.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  function onKey(e: KeyboardEvent) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === 'Escape') leave();
    else if (e.key === 'ArrowRight') move(1);
    else if (e.key === 'ArrowLeft') move(-1);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  return (
    <>
      {box ? (
        <div
          aria-hidden
          className="pointer-events-none fixed z-30 rounded-[6px] border-2 border-accent"
          style={{ left: box.left - 3, top: box.top - 3, width: box.width + 6, height: box.height + 6 }}
        />
      ) : null}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={card}
        role="dialog"
        aria-labelledby="tour-title"
        aria-describedby="tour-text"
        tabIndex={-1}
        data-tour={index + 1}
        onKeyDown={onKey}
        className="fixed z-30 max-w-[calc(100vw-1.5rem)] rounded-[6px] border border-line-strong bg-panel p-4 shadow-lg outline-none"
        style={{ width: CARD_WIDTH, ...(place ?? { left: GAP, top: GAP }) }}
      >
        <div aria-live="polite">
          <p className="text-12 text-ink-3">
            {index + 1} of {STOPS.length}
          </p>
          <h2 id="tour-title" className="text-16 font-semibold">
            {stop.title}
          </h2>
          <p id="tour-text" className="mt-1 text-14 text-ink-2">
            {stop.text}
          </p>
        </div>
        <div className="mt-3 flex items-center gap-2">
          <Button kind="quiet" onClick={leave} className="mr-auto -ml-3">
            {last ? 'Close' : 'Leave the tour'}
          </Button>
          <Button onClick={() => move(-1)} disabled={index === 0} shape="icon" aria-label="Back">
            <ArrowLeft size={14} aria-hidden />
          </Button>
          {last ? (
            <PageLink href="/labs/minimal-flow" className={buttonStyle({ kind: 'primary' })} onClick={leave}>
              Start learning
            </PageLink>
          ) : (
            <Button kind="primary" onClick={() => move(1)}>
              Next
              <ArrowRight size={14} aria-hidden />
            </Button>
          )}
        </div>
      </div>
    </>
  );
}
