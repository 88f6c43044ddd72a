'use client';
import type { RunRecord } from '@verbslab/protocol';
import { Merge, Split } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useMemo } from 'react';
import { runHref } from '../../addresses';
import { usePageHandle } from '../../actions/page-store';
import { lazyPart } from '../../connection/lazy-part';
import { useAgent } from '../../connection/store';
import { useUi } from '../../actions/ui-store';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { joinable } from './joinable';

const JoinDialog = lazyPart(async () => (await import('./join-dialog')).default);
const SeparateDialog = lazyPart(async () => (await import('./separate-dialog')).default);

const WIDE = 'mt-[8vh] w-[min(40rem,calc(100vw-2rem))]';
const NARROW = 'mt-[12vh] w-[min(28rem,calc(100vw-2rem))]';

const openJoin = (): void => useUi.getState().open('join');
const openSeparate = (): void => useUi.getState().open('separate');
const closeJoin = (): void => useUi.getState().close('join');
const closeSeparate = (): void => useUi.getState().close('separate');
/** Neither belongs to the page that is left for another. */
const closeBoth = (): void => {
  closeJoin();
  closeSeparate();
};

/** Makes one run of this one and its other end, or takes a joined run apart. */
export function JoinActions({ record }: { record: RunRecord }) {
  const router = useRouter();
  const connected = useAgent((s) => s.status === 'open');
  const overlay = useUi((s) => s.overlay);
  const canJoin = connected && joinable(record);
  const canSeparate = connected && record.parts !== undefined && record.partOf === undefined;
  const abilities = useMemo(
    () => ({
      ...(canJoin ? { 'join-run': openJoin } : {}),
      ...(canSeparate ? { 'separate-run': openSeparate } : {}),
    }),
    [canJoin, canSeparate],
  );
  usePageHandle(abilities);
  useEffect(() => closeBoth, []);
  const show = (id: string): void => {
    closeBoth();
    router.push(runHref(id));
  };
  return (
    <>
      {joinable(record) ? (
        <Button disabled={!canJoin} onClick={openJoin}>
          <Merge size={14} aria-hidden />
          Join with…
        </Button>
      ) : null}
      {record.parts ? (
        <Button disabled={!canSeparate} onClick={openSeparate}>
          <Split size={14} aria-hidden />
          Separate…
        </Button>
      ) : null}
      <Dialog open={overlay === 'join'} onClose={closeJoin} label="Join with another run" className={WIDE}>
        <JoinDialog record={record} onClose={closeJoin} onJoined={({ id }) => show(id)} />
      </Dialog>
      <Dialog
        open={overlay === 'separate'}
        onClose={closeSeparate}
        label="Separate this run"
        className={NARROW}
      >
        <SeparateDialog
          record={record}
          onClose={closeSeparate}
          onSeparated={([first]) => (first ? show(first.id) : router.push('/runs'))}
        />
      </Dialog>
    </>
  );
}
