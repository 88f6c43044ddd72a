import type { ReactNode } from 'react';
import { bookOf } from '../../model/machine/book';
import type { RunModel } from '../../model/run-model';

export interface PictureOfRunProps {
  /** The picture of the sample, under a line about this run; null if there is none. */
  sample: ((about: string) => ReactNode) | null;
  /** Class of the room that a picture takes. */
  place?: string | undefined;
}

/** Why nothing of a run can be replayed: queue pairs at work without a recorded post belong to loops. */
function whyNot(model: RunModel): string {
  const { objects, postsRecorded } = bookOf(model);
  const works = objects.some(
    ({ kind, states }) => kind === 'QP' && states.some(({ state }) => state === 'RTS'),
  );
  return works && !postsRecorded
    ? 'the loops of this run record sums, and no single request'
    : 'this run recorded no request that the picture can replay';
}

/** The sample, or one line, in place of the picture of a run. `complete`: the run has ended, and all of it is here. */
export function NoPicture(props: PictureOfRunProps & { model: RunModel; complete: boolean }) {
  const { sample, place, model, complete } = props;
  const shown = sample?.(complete ? whyNot(model) : 'until this run has ended') ?? null;
  if (shown !== null) return <div className={place}>{shown}</div>;
  return (
    <p className="text-13 text-ink-3" data-words>
      {complete ? `No picture: ${whyNot(model)}.` : 'The picture of this run appears when it has ended.'}
    </p>
  );
}
