'use client';
import type { RefObject } from 'react';
import { useWidth } from './use-width';

const USUAL = 720;
const LEAST = 280;
const REM = 16;

/** Width of a figure in its own units, a sixteenth of a rem each. Its drawing is never scaled. */
export function useFigureWidth(place: RefObject<Element | null>): number {
  const measured = useWidth(place);
  return measured === null ? USUAL : Math.max(LEAST, Math.floor(measured * REM));
}
