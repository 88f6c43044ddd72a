'use client';
import { formatCount, plural } from '@verbslab/labs';
import { useMemo } from 'react';
import { infoToFailure } from '../../connection/failure';
import type { RunView } from '../../connection/run-view';
import type { Topic } from '../../model/run-model';
import { useRunSession, useTopics } from '../../connection/use-session';
import { Fold } from '../../ui/fold';
import { Empty, FailureNote, Skeleton } from '../../ui/states';
import { Choice, ControlGroup } from '../controls';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { drawnFrom, episodesOf, sentOf, type Episode } from './episodes';
import { handlesOf, type Handle } from './handles';
import type { Ladder } from './ladder';
import { LadderPart } from './ladder-part';
import { compute, DEFAULTS, marksOf, SPECS } from './model';
import { RecordedMessage } from './recorded-message';
import { around, capturedLadder } from './run-ladder';
import { writesOf } from './writes';

/** A recorded message whose packets the reader loses, or the losses of a run. */
export default function Amplification({ run: { record, sample } }: { run: ExplainedRun }) {
  return sample ? <RecordedMessage /> : <OfRun id={record.id} />;
}

function OfRun({ id }: { id: string }) {
  const session = useRunSession(id);
  if (session?.state === 'failed' && session.error)
    return <FailureNote failure={infoToFailure(session.error.info)} />;
  // Packets have their order once all of them have come.
  if (!session?.view || session.state !== 'complete')
    return (
      <div className="space-y-4" aria-busy>
        <p className="text-13 text-ink-2">Reading the packets of the run.</p>
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-72 w-full" />
      </div>
    );
  return <OfPackets view={session.view} />;
}

/** The one after which most packets were sent again. */
const dearest = (episodes: readonly Episode[]): number =>
  episodes.reduce((most, { again }, i) => (again > episodes[most]!.again ? i : most), 0);

/** Lost packets in the part of the ladder that is shown: a press goes to what they cost. */
function lostHandles(ladder: Ladder, episodes: readonly Episode[], loss: number): Handle[] {
  const first = drawnFrom(episodes[loss]!);
  const episodeAt = new Map(episodes.map(({ lost }, i) => [lost, String(i)]));
  return handlesOf(
    ladder,
    (i) => episodeAt.get(first + i) ?? null,
    () => null,
  );
}

const PACKETS: readonly Topic[] = ['packets'];

function OfPackets({ view }: { view: RunView }) {
  useTopics(view, PACKETS, 'list');
  const [asked, change] = useControls(DEFAULTS);
  const { packets } = view.model;
  const version = view.model.version.packets;
  const sent = useMemo(
    () => sentOf(writesOf(packets.all, 'sent'), writesOf(packets.all, 'received')),
    // Packets are added in place, and their version says so.
    // oxlint-disable-next-line react/exhaustive-deps
    [packets, version],
  );
  const episodes = useMemo(() => episodesOf(sent), [sent]);
  // oxlint-disable-next-line react/exhaustive-deps
  const whole = useMemo(() => capturedLadder(packets.all), [packets, version]);
  const loss = episodes[asked.loss] ? asked.loss : dearest(episodes);
  const of = useMemo(() => {
    const using = { loss };
    return { id: 'amplification', using, specs: SPECS, found: compute(sent, episodes, using) };
  }, [sent, episodes, loss]);
  const ladder = useMemo(() => episodes[loss] && around(whole, episodes[loss]), [whole, episodes, loss]);
  const handles = useMemo(
    () => (ladder ? lostHandles(ladder, episodes, loss) : []),
    [ladder, episodes, loss],
  );
  const marks = useMemo(() => (episodes[loss] ? marksOf(episodes[loss]) : []), [episodes, loss]);
  if (packets.dropped > 0 || packets.beyond > 0)
    return (
      <Empty>
        This page does not have all packets of the run, and those that are missing here would look like lost
        ones. Choose another run.
      </Empty>
    );
  if (episodes.length === 0)
    return <Empty>In this run the sender never went back to a lost packet. Run the lab again.</Empty>;
  return (
    <>
      <ControlGroup>
        <Choice
          label="Lost packet"
          options={episodes.map(({ psn, lost, again }, i) => ({
            id: String(i),
            text: `${formatCount(i + 1)}: ${sent[lost]!.again ? 'a retransmission of ' : ''}PSN ${formatCount(psn)}, ${plural(again, 'packet')} sent again`,
          }))}
          value={String(loss)}
          onChange={(id) => change({ loss: Number(id) })}
        />
      </ControlGroup>
      {ladder ? (
        <div data-explorable="ladder" data-using={JSON.stringify({ loss })}>
          <LadderPart
            {...{ ladder, handles }}
            clean={null}
            onPress={(name) => change({ loss: Number(name) })}
            hint="PSNs count from the lost packet. Press another lost packet to follow it."
          />
        </div>
      ) : null}
      <Fold
        id="amplification-figures"
        title="All figures of this loss and of the run"
        summary="counted in the captures of both ends"
      >
        <ExplainedViews of={of} marks={marks} />
      </Fold>
    </>
  );
}
