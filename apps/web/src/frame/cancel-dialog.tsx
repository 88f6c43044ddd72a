'use client';
import { useEffect } from 'react';
import { useUi } from '../actions/ui-store';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';

/** Asks before the key or the palette cancels a run. Belongs on the page only while there is a run to cancel. */
export function CancelDialog({ what, onCancel }: { what: string; onCancel: () => void }) {
  const open = useUi((s) => s.overlay === 'cancel');
  const close = useUi((s) => s.close);
  useEffect(() => () => close('cancel'), [close]);
  return (
    <Dialog
      open={open}
      onClose={() => close('cancel')}
      label={`Cancel ${what}?`}
      className="mt-[12vh] w-[min(26rem,calc(100vw-2rem))]"
    >
      <div className="p-5">
        <h2 className="text-16 font-semibold">Cancel {what}?</h2>
        <p className="mt-1 text-ink-2">It ends now. Everything recorded so far is kept under Runs.</p>
        <div className="mt-4 flex flex-wrap justify-end gap-2">
          <Button ref={(button) => button?.setAttribute('autofocus', '')} onClick={() => close('cancel')}>
            Keep it running
          </Button>
          <Button
            kind="danger"
            onClick={() => {
              close('cancel');
              onCancel();
            }}
          >
            Cancel {what}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
