'use client';
import { useEffect } from 'react';
import { connect } from './store';

/**
 * Begun when the code of the frame runs: the worker loads and its socket opens while React still takes over the page. What
 * the agent says by then waits in the store, whose first state is the one that the page was built with.
 */
let begun = typeof window === 'undefined' ? null : connect();

/** Holds the connection for as long as the page is open. */
export function ConnectionKeeper() {
  useEffect(() => {
    const end = begun ?? connect();
    begun = null;
    return end;
  }, []);
  return null;
}
