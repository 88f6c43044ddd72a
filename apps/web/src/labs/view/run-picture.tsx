'use client';
import { isFinal, type LabPicture } from '@verbslab/protocol';
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
import { RunPaths } from './run-paths';
import { RunStrips, stripsOfRun } from './run-strips';

const TOPICS: readonly Topic[] = ['state'];

const UNTIL_THEN = 'until this run has ended';
const NOTHING_RECORDED = 'This run recorded no request that the picture can replay';

export interface RunPictureProps {
  session: RunSession;
  /** The picture of the sample, under a line about this run; null if there is none. */
  sample: ((about: string) => ReactNode) | null;
  /** What the lab says about its picture. */
  about: LabPicture | null;
  /** Class of the room that a picture takes. */
  place?: string;
}

/** The picture of a run: the paths of its bytes, or what it recorded of one request or a few, and the queues of many QPs. */
export function RunPicture({ session, sample, about, place = '' }: RunPictureProps) {
  const view = session.view!;
  useTopics(view, TOPICS);
  const { model } = view;
  const complete = session.state === 'complete' && isFinal(model.record.state);
  const paths = about?.paths === true;
  const connects = about?.sample === 'connect';
  const recording = useMemo(
    () =>
      complete && !paths
        ? recordingOf(
            model,
            runPackets(model.packets).analysis(() => knownConnections(model)),
            connects ? 'connect' : undefined,
          )
        : null,
    [complete, model, connects, paths],
  );
  const strips = useMemo(() => (complete && !paths ? stripsOfRun(model) : null), [complete, model, paths]);
  const instead = sample?.(complete ? NOTHING_RECORDED : UNTIL_THEN) ?? null;
  if (paths) return <RunPaths {...{ view, place }} instead={instead ?? <None complete={complete} />} />;
  if (recording)
    return (
      <div className={place}>
        <Replay recording={recording} />
        {strips ? <RunStrips {...strips} /> : null}
      </div>
    );
  if (strips) return <RunStrips {...strips} />;
  return instead === null ? <None complete={complete} /> : <div className={place}>{instead}</div>;
}

/** One line in place of a picture. */
function None({ complete }: { complete: boolean }) {
  return (
    <p className="text-13 text-ink-3" data-words>
      {complete ? NOTHING_RECORDED : 'The picture of this run appears when it has ended.'}
    </p>
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
