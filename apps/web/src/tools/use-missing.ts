'use client';
import { useMemo } from 'react';
import { request } from '../connection/store';
import { useKept } from '../connection/use-kept';

/** Missing programs on the agent's host, by tool. Empty until the agent has answered; an older agent has no list. */
export function useMissing(): ReadonlyMap<string, readonly string[]> {
  const { kept } = useKept('tools', () => request('tools.list', {}));
  return useMemo(() => new Map(kept?.tools.map(({ name, missing }) => [name, missing])), [kept]);
}
