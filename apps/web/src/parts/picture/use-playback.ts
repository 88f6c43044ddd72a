'use client';
import { useEffect, useMemo, useSyncExternalStore, type RefObject } from 'react';
import { useReducedMotion } from '../../ui/use-reduced-motion';
import { Playback, TELLING } from './playback';

/** A playback of as many stages as there are names. It starts over when they change. */
export function usePlayback(props: {
  stages: readonly { name: string }[];
  start: string | number | null;
  stopAt: string | null;
  autoplay: boolean;
  loop: boolean;
  sparing: boolean;
}): Playback {
  const { stages, start, stopAt, autoplay, loop, sparing } = props;
  const calm = useReducedMotion();
  const at = (stage: string | number | null): number =>
    typeof stage === 'number' ? stage : stages.findIndex(({ name }) => name === stage);
  const asked = at(stopAt);
  const limit = asked < 0 ? null : asked;
  const first = limit ?? Math.max(0, at(start)) + TELLING;
  const playback = useMemo(() => new Playback(stages.length, first), [stages]); // oxlint-disable-line react/exhaustive-deps -- `first` is where it begins
  useEffect(() => playback.set({ loop, sparing, calm, limit }), [playback, loop, sparing, calm, limit]);
  useEffect(() => {
    if (autoplay && !calm && limit === null) playback.play();
    return () => playback.pause();
  }, [playback, autoplay, calm, limit]);
  return playback;
}

/** Draws again whenever what is asked of the playback has changed. */
export const usePlayed = <T extends number | boolean>(playback: Playback, of: (playback: Playback) => T): T =>
  useSyncExternalStore(
    playback.subscribe,
    () => of(playback),
    () => of(playback),
  );

/** Stops the clock while the element is scrolled away or the page is hidden. */
export function useHeldUnseen(ref: RefObject<Element | null>, playback: Playback): void {
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let seen = true;
    const tell = () => playback.hold(!seen || document.hidden);
    const watch = new IntersectionObserver(([entry]) => {
      seen = entry?.isIntersecting ?? true;
      tell();
    });
    watch.observe(element);
    document.addEventListener('visibilitychange', tell);
    return () => {
      watch.disconnect();
      document.removeEventListener('visibilitychange', tell);
    };
  }, [ref, playback]);
}
