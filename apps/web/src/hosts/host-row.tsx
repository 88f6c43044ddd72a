'use client';
import { plural } from '@verbslab/labs';
import type { PathCheck, Peer } from '@verbslab/protocol';
import { Route, Trash2 } from 'lucide-react';
import { useCallback, useId, useMemo, useState } from 'react';
import { CHECK_PATH } from '../actions/hosts';
import { usePageHandle } from '../actions/page-store';
import { infoToFailure, toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import { text, time, when } from '../format/number';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Dialog } from '../ui/dialog';
import { FailureNote, type Failure } from '../ui/states';
import { Term } from '../ui/term';
import { DeviceTable } from './device-table';
import { PathResult } from '../parts/hosts/path-result';

/** A paired agent: its address, state and devices, and the actions on it. */
export function HostRow({ peer }: { peer: Peer }) {
  const id = useId();
  const connected = useAgent((s) => s.status === 'open');
  const [checking, setChecking] = useState(false);
  const [check, setCheck] = useState<PathCheck | null>(null);
  const [leaving, setLeaving] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const up = peer.state === 'up';
  const crashed = peer.error?.code === 'VMS_CRASHED';

  const { name } = peer;
  const checkPath = useCallback(async () => {
    setChecking(true);
    setFailure(null);
    try {
      setCheck((await request('peers.check', { from: 'local', to: name })).check);
    } catch (e) {
      setFailure(toFailure(e));
    }
    setChecking(false);
  }, [name]);
  const able = connected && up && !checking;
  usePageHandle(
    useMemo(
      () => ({
        hosts: [
          {
            name,
            ...(able ? { checkPath: () => void checkPath() } : {}),
            ...(connected ? { remove: () => setLeaving(true) } : {}),
          },
        ],
      }),
      [name, able, connected, checkPath],
    ),
  );

  async function remove() {
    setLeaving(false);
    try {
      await request('peers.remove', { name: peer.name });
    } catch (e) {
      setFailure(toFailure(e));
    }
  }

  return (
    <section aria-labelledby={id} data-host={peer.name} data-state={peer.state} className="border-t py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <div className="min-w-0">
          <h2 id={id} className="flex flex-wrap items-center gap-3 text-16 font-medium">
            <span className="num break-all">{peer.name}</span>
            <HostState state={peer.state} word={crashed ? 'crashed' : peer.state} />
          </h2>
          <p className="mt-1 text-13 text-ink-2">
            <span className="num">{peer.address}</span> {peer.tls ? 'TLS' : 'loopback, not encrypted'}
            {peer.agent
              ? ` · ${peer.agent.host}, ${peer.agent.kernel}, ${plural(peer.agent.cpus, 'CPU')}`
              : ''}
          </p>
          {peer.clock ? (
            <p className={cn('mt-1 text-13', up ? 'text-ink-2' : 'text-ink-3')}>
              <Term id="clockOffset" /> <span className="num">{text(time(peer.clock.offsetNs))}</span> ±{' '}
              <span className="num">{text(time(peer.clock.errorNs))}</span>
              {up ? '' : `, as of ${when(peer.clock.measuredAt)}`}
            </p>
          ) : null}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button disabled={!able} onClick={() => void checkPath()}>
            <Route size={14} aria-hidden />
            {checking ? 'Checking…' : CHECK_PATH}
          </Button>
          <Button disabled={!connected} onClick={() => setLeaving(true)}>
            <Trash2 size={14} aria-hidden />
            Remove
          </Button>
        </div>
      </div>
      {peer.error ? (
        <FailureNote
          failure={{ ...infoToFailure(peer.error), ...(crashed ? { detail: peer.error.detail } : {}) }}
          className="mt-3"
          {...(crashed ? { details: 'Its last console lines', open: true } : {})}
          action={
            <span className="text-13 text-ink-2">
              {crashed ? 'It appears here again once it is back.' : 'Retrying automatically.'}
            </span>
          }
        />
      ) : null}
      {failure ? <FailureNote failure={failure} className="mt-3" /> : null}
      {peer.devices.length > 0 ? (
        <div>
          {up ? null : <p className="mt-3 text-13 text-ink-2">When it was last connected:</p>}
          <DeviceTable host={peer.name} devices={peer.devices} />
        </div>
      ) : null}
      {checking ? (
        <p role="status" className="mt-3 text-13 text-ink-2">
          Opening endpoints on both hosts, then testing UDP, the path MTU and one WRITE.
        </p>
      ) : check ? (
        <PathResult check={check} />
      ) : null}
      <Dialog
        open={leaving}
        onClose={() => setLeaving(false)}
        label={`Remove ${peer.name}?`}
        className="w-[min(28rem,calc(100vw-2rem))]"
      >
        <div className="p-5">
          <h2 className="text-16 font-semibold">Remove {peer.name}?</h2>
          <p className="mt-2 text-ink-2">
            Its token and fingerprint are deleted; runs that used it are kept. To pair again, you need its
            join string.
          </p>
          <div className="mt-4 flex justify-end gap-2">
            <Button onClick={() => setLeaving(false)}>Keep</Button>
            <Button kind="danger" onClick={() => void remove()}>
              Remove
            </Button>
          </div>
        </div>
      </Dialog>
    </section>
  );
}

/** State of a host as a word, with a mark that differs in shape as well as color. */
function HostState({ state, word }: { state: Peer['state']; word: string }) {
  return (
    <span
      role="status"
      className={cn('inline-flex items-center gap-1.5 text-13', state === 'down' && 'text-error-ink')}
    >
      <span
        aria-hidden
        className={cn(
          'size-2 shrink-0',
          state === 'connecting' && 'rounded-full border-2 border-accent',
          state === 'up' && 'rounded-full bg-ok-ink',
          state === 'down' && 'bg-error',
        )}
      />
      {word}
    </span>
  );
}
