'use client';
import { useState } from 'react';
import { create } from 'zustand';

/** Whether somebody looks a chart up with the crosshair, which all charts of a page share. */
const useLooking = create(() => ({ on: false }));

/** For the element around a chart. */
export const LOOKING = {
  onPointerEnter: () => useLooking.setState({ on: true }),
  onPointerLeave: () => useLooking.setState({ on: false }),
  onFocus: () => useLooking.setState({ on: true }),
  onBlur: () => useLooking.setState({ on: false }),
};

/**
 * The rows that the chart library gets. Laying a chart out anew takes it 20 ms and more, which is a late frame each
 * time, so while a run streams it gets new rows only with new axes (`axes`), or for the crosshair (`version`). The
 * curves themselves are drawn by layers.tsx and always show the latest.
 */
export function useHeld<T>(rows: T, axes: string, version: number, live: boolean): T {
  const looking = useLooking((s) => s.on);
  const key = live && !looking ? axes : `${axes} ${version}`;
  const [held, setHeld] = useState({ key, rows });
  if (held.key === key) return held.rows;
  setHeld({ key, rows });
  return rows;
}
