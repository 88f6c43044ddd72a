'use client';
import type { Recording } from '../../model/picture/recording';
import { PicturePlayer } from '../../parts/picture/player';
import { useReplay } from '../../parts/picture/use-replay';

/** The picture of one request of a program. The last stage comes first: there it waits, or failed. */
export function RequestPicture({ recording, about }: { recording: Recording; about: string }) {
  const replay = useReplay(recording);
  return (
    <>
      <p className="mb-1 text-12 text-ink-3" data-shows="picture-title">
        {recording.title}, {about}
      </p>
      <PicturePlayer {...replay} start={replay.stages.length - 1} legend={false} />
    </>
  );
}
