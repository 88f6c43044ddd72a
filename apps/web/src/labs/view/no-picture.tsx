import type { ReactNode } from 'react';

export interface PictureOfRunProps {
  /** The picture of the sample, under a line about this run; null if there is none. */
  sample: ((about: string) => ReactNode) | null;
  /** Class of the room that a picture takes. */
  place?: string | undefined;
}

const NOTHING_RECORDED = 'This run recorded no request that the picture can replay';

/** The sample, or one line, in place of the picture of a run. `complete`: the run has ended, and all of it is here. */
export function NoPicture({ sample, place, complete }: PictureOfRunProps & { complete: boolean }) {
  const shown = sample?.(complete ? NOTHING_RECORDED : 'until this run has ended') ?? null;
  if (shown !== null) return <div className={place}>{shown}</div>;
  return (
    <p className="text-13 text-ink-3" data-words>
      {complete ? NOTHING_RECORDED : 'The picture of this run appears when it has ended.'}
    </p>
  );
}
