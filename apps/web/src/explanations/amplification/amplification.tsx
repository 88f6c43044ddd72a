'use client';
import { formatCount, plural } from '@verbslab/labs';
import { useMemo } from 'react';
import { infoToFailure } from '../../connection/failure';
import type { RunView } from '../../connection/run-view';
import type { Topic } from '../../model/run-model';
import { useRunSession, useTopics } from '../../connection/use-session';
import { Empty, FailureNote, Skeleton } from '../../ui/states';
import { Choice, ControlGroup } from '../controls';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { episodesOf, sentOf, type Episode } from './episodes';
import { compute, DEFAULTS, marksOf, SPECS } from './model';
import { writesOf } from './writes';

export default function Amplification({ run: { record } }: { run: ExplainedRun }) {
  const session = useRunSession(record.id);
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
  const loss = episodes[asked.loss] ? asked.loss : dearest(episodes);
  const of = useMemo(() => {
    const using = { loss };
    return { id: 'amplification', using, specs: SPECS, found: compute(sent, episodes, using) };
  }, [sent, episodes, loss]);
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
      <ExplainedViews of={of} marks={marks} />
    </>
  );
}
