import type { ReactNode } from 'react';

export interface PictureOfRunProps {
  /** The picture of the sample, under a line about this run; null if there is none. */
  sample: ((about: string) => ReactNode) | null;
  /** Class of the room that a picture takes. */
  place?: string | undefined;
}

/** The sample, or one line, in place of the picture of a run. `why`: of a run that has ended. */
export function NoPicture(props: PictureOfRunProps & { why: string; complete: boolean }) {
  const { sample, place, why, complete } = props;
  const shown = sample?.(complete ? why : 'until this run has ended') ?? null;
  if (shown !== null) return <div className={place}>{shown}</div>;
  return (
    <p className="text-13 text-ink-3" data-words>
      {complete ? `No picture: ${why}.` : 'The picture of this run appears when it has ended.'}
    </p>
  );
}
