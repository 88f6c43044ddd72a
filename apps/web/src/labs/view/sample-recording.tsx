'use client';
import { formatBytes } from '@verbslab/labs';
import type { LabDescription } from '@verbslab/protocol';
import { useCallback } from 'react';
import type { Recording } from '../../model/picture/recording';
import type { Side } from '../../model/picture/state';
import { PicturePlayer } from '../../parts/picture/player';
import { useReplay } from '../../parts/picture/use-replay';

interface SampleRecordingProps {
  lab: LabDescription;
  sample: Recording;
  /** Why it is shown in place of the run. */
  about?: string | undefined;
}

/** The side with the parts that a lab is about, if it is one: the other one is then drawn small. */
function smallSide({ picture }: LabDescription): Side | null {
  const named = (side: Side) => picture?.focus.some((part) => part.startsWith(side)) ?? true;
  if (named('client')) return named('server') ? null : 'server';
  return named('server') ? 'client' : null;
}

/** What the run has that the sample does not: by the defaults of the lab, the size of its messages and its link. */
export function sampleNote({ params }: Pick<LabDescription, 'params'>, sample: Recording): string {
  const { size, link, links } = (params.properties ?? {}) as Record<string, { default?: unknown }>;
  const posted = sample.events.find((e) => e.kind === 'posted' && e.queue === 'sq');
  const bytes = size?.default;
  const own = [
    typeof bytes === 'number' && posted?.kind === 'posted' && posted.bytes !== bytes
      ? `messages of ${formatBytes(bytes)}`
      : null,
    sample.link === 'shm' && (link?.default === 'udp' || links !== undefined)
      ? 'packets that go through the kernel’s sockets'
      : null,
  ].filter((one) => one !== null);
  return own.length > 0 ? `Your run has ${own.join(', and ')}.` : 'Your run may have other requests.';
}

/** A recording that ships with the dashboard. It stops at the question of the lab, which only a run answers. */
export function SampleRecording({ lab, sample, about }: SampleRecordingProps) {
  const replay = useReplay(sample);
  const { picture } = lab;
  const { stateAt } = replay;
  const focused = useCallback(
    (t: number) => {
      const state = stateAt(t);
      return picture ? { ...state, focus: picture.focus as typeof state.focus } : state;
    },
    [stateAt, picture],
  );
  return (
    <div data-sample={about ?? ''}>
      <p className="mb-1 text-12 text-ink-3" data-words>
        {sample.title}, a recorded sample{about === undefined ? `. ${sampleNote(lab, sample)}` : `: ${about}`}
      </p>
      <PicturePlayer
        {...replay}
        stateAt={focused}
        compact={smallSide(lab)}
        stopAt={picture?.stage ?? null}
        legend={false}
      />
    </div>
  );
}
