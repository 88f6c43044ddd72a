'use client';
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Button, buttonStyle } from '../ui/button';
import { PageLink } from '../ui/page-link';
import { windowSize, type Box, type Place } from '../ui/place-popover';
import { GAP, placeCard } from './place-card';
import { STOPS } from './stops';
import { useTour } from './tour-store';

const CARD_WIDTH = 320;
const CORNER: Place = { left: GAP, top: GAP };

/**
 * A card that moves from place to place. The page behind stays usable, and a key or a click leaves the tour at any
 * time.
 */
export default function Tour() {
  const index = useTour((s) => s.stop) ?? 0;
  const { move, leave } = useTour.getState();
  const stop = STOPS[index]!;
  const last = index === STOPS.length - 1;
  const card = useRef<HTMLDivElement>(null);
  /** Box of the target, null if the page does not show it, and place of the card. */
  const [places, setPlaces] = useState<{ box: Box | null; card: Place }>({ box: null, card: CORNER });
  const path = usePathname();
  const begun = useRef(path);

  // Moving to another page ends the tour.
  useEffect(() => {
    if (path !== begun.current) leave();
  }, [path, leave]);

  useLayoutEffect(() => {
    const look = () => {
      const shown = [...document.querySelectorAll(stop.at)].find((el) => el.getClientRects().length > 0);
      const box = shown?.getBoundingClientRect() ?? null;
      const size = card.current!.getBoundingClientRect();
      setPlaces({ box, card: box ? placeCard(box, size, windowSize()) : CORNER });
    };
    look();
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, [stop.at]);

  // The card gets the focus, and returns it when it is closed.
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

  const { box } = places;
  return (
    <>
      {box ? (
        <div
          aria-hidden
          className="pointer-events-none fixed z-30 rounded-[6px] border-2 border-accent"
          style={{ left: box.left - 3, top: box.top - 3, width: box.width + 6, height: box.height + 6 }}
        />
      ) : null}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={card}
        role="dialog"
        aria-labelledby="tour-title"
        aria-describedby="tour-text"
        tabIndex={-1}
        data-tour={index + 1}
        onKeyDown={onKey}
        className="fixed z-30 max-w-[calc(100vw-1.5rem)] rounded-[6px] border border-line-strong bg-panel p-4 shadow-lg outline-none"
        style={{ width: CARD_WIDTH, ...places.card }}
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
