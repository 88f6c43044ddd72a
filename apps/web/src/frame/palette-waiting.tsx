'use client';
import { Skeleton } from '../ui/states';
import { useEarlyKeys } from '../actions/early-keys';
import { focusWhenShown, PALETTE_FIELD } from './palette-field';

/** The palette until its code arrives: keeps what is typed for it. */
export function PaletteWaiting() {
  const { text, type, press } = useEarlyKeys();
  return (
    <div aria-busy className="flex w-full flex-col">
      <input
        type="text"
        aria-label="Command palette"
        autoComplete="off"
        spellCheck={false}
        value={text}
        ref={focusWhenShown}
        onChange={(e) => type(e.target.value)}
        onKeyDown={(e) => {
          if (!e.nativeEvent.isComposing && press(e.key)) e.preventDefault();
        }}
        {...PALETTE_FIELD}
      />
      <div className="grid gap-4 p-4">
        {['w-24', 'w-40', 'w-32', 'w-44'].map((width) => (
          <Skeleton key={width} className={`h-4 ${width}`} />
        ))}
      </div>
    </div>
  );
}
