'use client';
import type { DeviceInfo, SetUp } from '@verbslab/protocol';
import { useCallback, useEffect, useState } from 'react';
import { toFailure } from '../connection/failure';
import { loadPeers, loadRuns, request, useAgent } from '../connection/store';
import type { Failure } from '../ui/states';

/** Between two looks. Each asks the agents again. */
const EVERY_MS = 4000;

export interface Looked {
  seen: SetUp | null;
  devices: readonly DeviceInfo[];
  failure: Failure | null;
}

/** What the machine and its peers have now, again and again while the page is in front. */
export function useSetUp(): Looked & { look: () => Promise<void> } {
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
  useEffect(() => {
    if (!connected) return;
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = async (): Promise<void> => {
      if (document.visibilityState === 'visible') await look();
      if (!ended) timer = setTimeout(() => void again(), EVERY_MS);
    };
    void again();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [connected, look]);
  return { ...looked, look };
}
