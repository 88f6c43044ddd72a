'use client';
import type { Recording } from '../../model/picture/recording';
import { PicturePlayer } from '../../parts/picture/player';
import { useReplay } from '../../parts/picture/use-replay';

/** The picture of one request of a program. `start`: the first or the last stage comes first. */
export function RequestPicture({
  recording,
  about,
  last,
}: {
  recording: Recording;
  about: string;
  last: boolean;
}) {
  const replay = useReplay(recording);
  const start = last ? replay.stages.length - 1 : null;
  return (
    <>
      <p className="mb-1 text-12 text-ink-3" data-shows="picture-title">
        {recording.title}, {about}
      </p>
      <PicturePlayer {...replay} start={start} legend={false} />
    </>
  );
}
