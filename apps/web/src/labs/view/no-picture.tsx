import { useEffect, type ReactNode } from 'react';

export interface PictureOfRunProps {
  /** The picture of the sample, under a line about this run; null if there is none. */
  sample: ((about: string) => ReactNode) | null;
  /** Class of the room that a picture takes. */
  place?: string | undefined;
  /** Told whether a run has ended without anything to draw: its chart then takes the room of the picture. */
  onBare?: ((bare: boolean) => void) | undefined;
}

/** Tells `onBare` whether there is nothing to draw, while the component is shown. */
export function useBare(bare: boolean, onBare: PictureOfRunProps['onBare']): void {
  useEffect(() => {
    if (!bare) return;
    onBare?.(true);
    return () => onBare?.(false);
  }, [bare, onBare]);
}

/** The sample until a run has ended, then one line that says why there is no picture. */
export function NoPicture(props: PictureOfRunProps & { why: string; complete: boolean }) {
  const { sample, place, why, complete, onBare } = props;
  useBare(complete, onBare);
  const shown = complete ? null : (sample?.('until this run has ended') ?? null);
  if (shown !== null) return <div className={place}>{shown}</div>;
  return (
    <p className="text-13 text-ink-3" data-words>
      {complete ? `No picture: ${why}.` : 'The picture of this run appears when it has ended.'}
    </p>
  );
}
