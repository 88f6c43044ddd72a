'use client';
import type { DeviceInfo, MachinesWork, SetUp } from '@verbslab/protocol';
import { useCallback, useEffect, useState } from 'react';
import { toFailure } from '../connection/failure';
import { loadPeers, loadRuns, request, useAgent } from '../connection/store';
import type { Failure } from '../ui/states';
import { later } from './machines-text';

/** Interval between updates, ms. Each update asks the agents again. */
const EVERY_MS = 4000;
/**
 * Interval while machines start: the agent reports their progress itself, and an update would take CPU time from them.
 */
const WHILE_STARTING_MS = 30_000;

export interface Looked {
  seen: SetUp | null;
  devices: readonly DeviceInfo[];
  failure: Failure | null;
}

/**
 * State of the machine and its peers, updated while the page is visible. `heard`: latest report on the virtual
 * machines.
 */
export function useSetUp(heard: MachinesWork | null): Looked & { look: () => Promise<void> } {
  const connected = useAgent((s) => s.status === 'open');
  const [looked, setLooked] = useState<Looked>({ seen: null, devices: [], failure: null });
  const look = useCallback(async () => {
    try {
      const [{ seen }, { devices }] = await Promise.all([
        request('set-up.look', {}),
        request('devices.list', {}),
        loadPeers(true),
        loadRuns(),
      ]);
      setLooked({ seen, devices, failure: null });
    } catch (error) {
      setLooked((before) => ({ ...before, failure: toFailure(error) }));
    }
  }, []);
  const starting = later(heard, looked.seen?.vms.work ?? null)?.state === 'working';
  useEffect(() => {
    if (!connected) return;
    const every = starting ? WHILE_STARTING_MS : EVERY_MS;
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = async (): Promise<void> => {
      if (document.visibilityState === 'visible') await look();
      if (!ended) timer = setTimeout(() => void again(), every);
    };
    if (starting) timer = setTimeout(() => void again(), every);
    else void again();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [connected, look, starting]);
  return { ...looked, look };
}
