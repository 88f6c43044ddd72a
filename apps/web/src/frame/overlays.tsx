'use client';
import { lazyPart } from '../connection/lazy-part';
import { Dialog } from '../ui/dialog';
import { PaletteWaiting } from './palette-waiting';
import { useUi } from '../actions/ui-store';

const Palette = lazyPart(async () => (await import('./palette')).default, PaletteWaiting);

const KeySheet = lazyPart(async () => (await import('./key-sheet')).default);

export function Overlays() {
  const overlay = useUi((s) => s.overlay);
  const close = useUi((s) => s.close);
  return (
    <>
      <Dialog
        open={overlay === 'palette'}
        onClose={() => close('palette')}
        label="Command palette"
        className="mt-[12vh] w-[min(36rem,calc(100vw-2rem))]"
      >
        <Palette onDone={() => close('palette')} />
      </Dialog>
      <Dialog
        open={overlay === 'keys'}
        onClose={() => close('keys')}
        label="Keys"
        className="w-[min(44rem,calc(100vw-2rem))]"
      >
        <KeySheet />
      </Dialog>
    </>
  );
}
