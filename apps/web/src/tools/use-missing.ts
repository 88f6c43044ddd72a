'use client';
import { useMemo } from 'react';
import { request } from '../connection/store';
import { useKept } from '../connection/use-kept';

/** By tool, its programs that the agent’s host lacks. Empty until the agent has answered; an older agent has no list. */
export function useMissing(): ReadonlyMap<string, readonly string[]> {
  const { kept } = useKept('tools', () => request('tools.list', {}));
  return useMemo(() => new Map(kept?.tools.map(({ name, missing }) => [name, missing])), [kept]);
}
