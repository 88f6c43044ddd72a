'use client';
import { useEffect, useState } from 'react';
import type { PictureStage } from '../model/picture/recording';
import { useReducedMotion } from '../ui/use-reduced-motion';

/** Time on screen of a stage, ms. */
const STAGE_MS = 2600;
/** Part of a stage that explains it best: shown where nothing may move. */
const TELLING = 0.6;

/** Time of the recording that is shown: the start of the stage until it plays, then on to its end. */
export function useStageTime({ from, to }: PictureStage, plays: boolean): number {
  const calm = useReducedMotion();
  const [moved, setMoved] = useState({ from, part: 0 });
  useEffect(() => {
    if (!plays || calm) return;
    const begun = performance.now();
    let frame = requestAnimationFrame(function move(now) {
      const part = Math.min(1, Math.max(0, now - begun) / STAGE_MS);
      setMoved({ from, part });
      if (part < 1) frame = requestAnimationFrame(move);
    });
    return () => cancelAnimationFrame(frame);
  }, [from, plays, calm]);
  const part = !plays ? 0 : calm ? TELLING : moved.from === from ? moved.part : 0;
  return from + (to - from) * part;
}
