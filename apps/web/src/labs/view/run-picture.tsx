'use client';
import { isFinal } from '@verbslab/protocol';
import { useMemo, type ReactNode } from 'react';
import type { RunSession } from '../../connection/run-sessions';
import { useTopics } from '../../connection/use-session';
import { knownConnections } from '../../model/known-connections';
import { runPackets } from '../../model/packet-rows';
import type { Recording } from '../../model/picture/recording';
import { recordingOf } from '../../model/picture/recording-of';
import type { Topic } from '../../model/run-model';
import { PicturePlayer } from '../../parts/picture/player';
import { useReplay } from '../../parts/picture/use-replay';

const TOPICS: readonly Topic[] = ['state'];

const UNTIL_THEN = 'until this run has ended';
const NOTHING_RECORDED = 'This run recorded no request that the picture can replay';

export interface RunPictureProps {
  session: RunSession;
  /** The picture of the sample, under a line about this run; null if there is none. */
  sample: ((about: string) => ReactNode) | null;
  /** The lab is about a connection, not about what goes over it. */
  connects: boolean;
}

/** The picture of a run: what it recorded of one request, or of a few. */
export function RunPicture({ session, sample, connects }: RunPictureProps) {
  const view = session.view!;
  useTopics(view, TOPICS);
  const { model } = view;
  const complete = session.state === 'complete' && isFinal(model.record.state);
  const recording = useMemo(
    () =>
      complete
        ? recordingOf(
            model,
            runPackets(model.packets).analysis(() => knownConnections(model)),
            connects ? 'connect' : undefined,
          )
        : null,
    [complete, model, connects],
  );
  if (!complete) return sample?.(UNTIL_THEN) ?? null;
  if (recording) return <Replay recording={recording} />;
  return (
    sample?.(NOTHING_RECORDED) ?? (
      <p className="text-13 text-ink-3" data-words>
        {NOTHING_RECORDED}
      </p>
    )
  );
}

function Replay({ recording }: { recording: Recording }) {
  const replay = useReplay(recording);
  return (
    <>
      <p className="mb-1 text-12 text-ink-3" data-shows="picture-title">
        {recording.title}, recorded in this run
      </p>
      <PicturePlayer {...replay} legend={false} />
    </>
  );
}
