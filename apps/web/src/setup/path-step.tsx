'use client';
import type { PathCheck } from '@verbslab/protocol';
import { Route } from 'lucide-react';
import { useState } from 'react';
import { CHECK_PATH } from '../actions/hosts';
import { toFailure } from '../connection/failure';
import { request } from '../connection/store';
import { PathResult } from '../parts/hosts/path-result';
import { Button } from '../ui/button';
import { FailureNote, type Failure } from '../ui/states';
import { Step } from './step';
import { pathReached } from './steps';

/** Check of the RDMA path between two machines. It sends real packets, so it only runs when the button is pressed. */
export function PathStep({ id, from, to }: { id: string; from: string; to: string | null }) {
  const [check, setCheck] = useState<PathCheck | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  async function run(): Promise<void> {
    if (to === null) return;
    setBusy(true);
    setFailure(null);
    try {
      setCheck((await request('peers.check', { from, to })).check);
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  }
  return (
    <Step id={id} title="Check the path between the two" reached={pathReached(check)}>
      <p className="mt-1 max-w-[72ch] text-ink-2">
        The agents compare GIDs and clocks, test UDP and the path MTU, and move one WRITE. If it fails, a
        firewall on UDP port 4791 is a common cause: run{' '}
        <code className="num text-13">npx verbslab doctor</code> on both machines.
      </p>
      <div className="mt-2">
        <Button disabled={to === null || busy} onClick={() => void run()}>
          <Route size={14} aria-hidden />
          {busy ? 'Checking…' : CHECK_PATH}
        </Button>
      </div>
      {failure ? <FailureNote failure={failure} className="mt-2" /> : null}
      {check ? <PathResult check={check} /> : null}
    </Step>
  );
}
