'use client';
import type { Transport } from '@verbslab/protocol';
import { useCallback, useEffect, useRef } from 'react';
import type { BytePaths } from '../../model/paths/byte-path';
import type { Playback } from '../picture/playback';
import { DOTS } from './path-line';

/** Way of the fastest dots per unit of the playback, px: less than half the distance of two dots in a frame of a sparing one. */
const FASTEST = 104;

/**
 * Moves the dots of each path as fast as its bytes moved, relative to the fastest. Returns what takes the element of a path. While
 * a run measures, only what moves now has moving dots.
 */
export function useDots(
  playback: Playback,
  { paths }: BytePaths,
): (transport: Transport) => (element: SVGPathElement | null) => void {
  const elements = useRef(new Map<Transport, SVGPathElement>());
  const takers = useRef(new Map<Transport, (element: SVGPathElement | null) => void>());
  const passed = useRef(new Map<Transport, number>());
  useEffect(() => {
    let last = playback.position;
    const some = paths.some(({ moving }) => moving);
    const speeds = new Map(
      paths.map(({ transport, goodputGbps, moving }) => [
        transport,
        some && !moving ? 0 : (goodputGbps ?? 0),
      ]),
    );
    const fastest = Math.max(...paths.map(({ goodputGbps }) => goodputGbps ?? 0)) || 1;
    return playback.subscribe(() => {
      const by = playback.position - last;
      last = playback.position;
      for (const [transport, element] of elements.current) {
        const way =
          (passed.current.get(transport) ?? 0) + (by * FASTEST * (speeds.get(transport) ?? 0)) / fastest;
        passed.current.set(transport, way % DOTS);
        element.setAttribute('stroke-dashoffset', String(-way % DOTS));
      }
    });
  }, [playback, paths]);
  return useCallback((transport: Transport) => {
    const known = takers.current.get(transport);
    if (known) return known;
    const taker = (element: SVGPathElement | null) => {
      if (element) elements.current.set(transport, element);
      else elements.current.delete(transport);
    };
    takers.current.set(transport, taker);
    return taker;
  }, []);
}
