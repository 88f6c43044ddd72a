'use client';
import { useEffect } from 'react';
import { connect } from './store';

/** Holds the connection for as long as the page is open. */
export function ConnectionKeeper() {
  useEffect(() => connect(), []);
  return null;
}
