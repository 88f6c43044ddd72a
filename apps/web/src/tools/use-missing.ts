'use client';
import { useEffect, useState } from 'react';
import { request, useAgent } from '../connection/store';

type Missing = ReadonlyMap<string, readonly string[]>;
const UNKNOWN: Missing = new Map();

/** By tool, its programs that the agent’s host lacks. Empty until the agent has answered. */
export function useMissing(): Missing {
  const connected = useAgent((s) => s.status === 'open');
  const [missing, setMissing] = useState(UNKNOWN);
  useEffect(() => {
    if (!connected) return;
    let current = true;
    request('tools.list', {}).then(
      ({ tools }) => current && setMissing(new Map(tools.map((one) => [one.name, one.missing]))),
      // An older agent has no list. A start says what is wrong.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [connected]);
  return missing;
}
