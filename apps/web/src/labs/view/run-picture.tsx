'use client';
import { isFinal, type LabPicture } from '@verbslab/protocol';
import { useMemo } from 'react';
import type { RunSession } from '../../connection/run-sessions';
import { useTopics } from '../../connection/use-session';
import { knownConnections } from '../../model/known-connections';
import { bookOf } from '../../model/machine/book';
import { runPackets } from '../../model/packet-rows';
import type { Recording } from '../../model/picture/recording';
import { recordingOf } from '../../model/picture/recording-of';
import type { RunModel, Topic } from '../../model/run-model';
import { PicturePlayer } from '../../parts/picture/player';
import { useReplay } from '../../parts/picture/use-replay';
import { NoPicture, type PictureOfRunProps } from './no-picture';
import { RunStrips, stripsOfRun } from './run-strips';

const TOPICS: readonly Topic[] = ['state'];

export interface RunPictureProps extends PictureOfRunProps {
  session: RunSession;
  /** What the lab says about its picture. */
  about: LabPicture | null;
}

/** The picture of a run: what it recorded of one request or a few, and the queues of many QPs. */
export function RunPicture({ session, sample, about, place, onBare }: RunPictureProps) {
  const view = session.view!;
  useTopics(view, TOPICS);
  const { model } = view;
  const complete = session.state === 'complete' && isFinal(model.record.state);
  const connects = about?.sample === 'connect';
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
  const strips = useMemo(() => (complete ? stripsOfRun(model) : null), [complete, model]);
  if (recording)
    return (
      <div className={place}>
        <Replay recording={recording} />
        {strips ? <RunStrips {...strips} /> : null}
      </div>
    );
  if (strips) return <RunStrips {...strips} />;
  return <NoPicture {...{ sample, place, complete, onBare }} why={complete ? whyNot(model) : ''} />;
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

/** Begins at the last stage: what came of it is what the reader asks for after a run. */
function Replay({ recording }: { recording: Recording }) {
  const replay = useReplay(recording);
  return (
    <>
      <p className="mb-1 text-12 text-ink-3" data-shows="picture-title">
        {recording.title}, recorded in this run
      </p>
      <PicturePlayer {...replay} start={replay.stages.length - 1} legend={false} />
    </>
  );
}
