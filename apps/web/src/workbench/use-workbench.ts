'use client';
import type { ReplyOf } from '@verbslab/protocol';
import { useEffect, useState } from 'react';
import { toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import type { Failure } from '../ui/states';

export type Workbench = Pick<
  ReplyOf<'workbench.list'>,
  'allowed' | 'command' | 'languages' | 'limits' | 'gaps'
>;

/** What this agent allows of the workbench. Both null until it has answered. */
export function useWorkbench(): { workbench: Workbench | null; failure: Failure | null } {
  const connected = useAgent((s) => s.status === 'open');
  const [state, setState] = useState<{ workbench: Workbench | null; failure: Failure | null }>({
    workbench: null,
    failure: null,
  });
  useEffect(() => {
    if (!connected) return;
    let current = true;
    request('workbench.list', {}).then(
      (workbench) => current && setState({ workbench, failure: null }),
      (error: unknown) => current && setState({ workbench: null, failure: toFailure(error) }),
    );
    return () => {
      current = false;
    };
  }, [connected]);
  return state;
}
