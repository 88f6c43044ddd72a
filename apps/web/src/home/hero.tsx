'use client';
import { useCallback, useState } from 'react';
import { text, time } from '../format/number';
import type { Recording } from '../model/picture/recording';
import { LOSABLE, lostSample } from '../model/picture/sample';
import { PicturePlayer } from '../parts/picture/player';
import { useReplay } from '../parts/picture/use-replay';

/** The recorded WRITE, again and again. A press on a packet shows the one in which that packet was lost, once. */
export function Hero({ write }: { write: Recording }) {
  const [lost, setLost] = useState<Recording | null>(null);
  const recording = lost ?? write;
  const replay = useReplay(recording);
  const lose = useCallback(
    (id: string) => {
      const pressed = write.events.find((e) => e.kind === 'packet' && e.id === id);
      const which = LOSABLE.find((label) => pressed?.kind === 'packet' && pressed.label === label);
      // Without the agent there is no other recording, and this one goes on.
      if (which) lostSample(which).then(setLost, () => undefined);
    },
    [write],
  );
  const back = useCallback(() => setLost(null), []);
  return (
    <div data-recording={lost ? 'lost' : 'write'}>
      <PicturePlayer
        key={lost ? 'lost' : 'write'}
        {...replay}
        size="low"
        controls="play"
        autoplay
        loop={lost === null}
        start={lost ? lossOf(replay.stages) : 'Packets out'}
        {...(lost ? { onEnd: back } : { onPacket: lose })}
      />
      <p className="mt-1 text-13 text-ink-3">
        {lost ? null : (
          <span className="font-semibold text-ink">Press a packet on the wire to lose it. </span>
        )}
        <span data-shows="picture-source">{sourceOf(recording)}</span>
      </p>
    </div>
  );
}

/** The stage in which a packet is lost. */
const lossOf = (stages: readonly { name: string }[]): string | null =>
  stages.find(({ name }) => name.endsWith('lost'))?.name ?? null;

/** What was recorded, and how long it took. */
function sourceOf({ title, events, run }: Recording): string {
  const ends = events.map((e) => (e.kind === 'call' ? (e.end ?? e.t) : e.kind === 'packet' ? e.to : e.t));
  const took = text(time(Math.max(...ends)));
  return `Recorded${run ? ` in run ${run.number}` : ''}: ${title}, ${took}, slowed down.`;
}
