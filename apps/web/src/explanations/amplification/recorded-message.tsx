'use client';
import { formatCount, formatTime } from '@verbslab/labs';
import { useCallback, useMemo } from 'react';
import { FailureNote, Skeleton } from '../../ui/states';
import { PressedChoice } from '../pressed-choice';
import { useControls } from '../use-controls';
import { endOf } from './ladder';
import { readLadder } from './ladder-file';
import { LadderPart } from './ladder-part';
import { handlesOf } from './handles';
import { isRecorded, lossesOf, nameOf, nameOfLoss, pressed, type Loss } from './losses';
import { useFiles } from './use-files';

const DEFAULTS = { lost: '3' };
const NONE = 'none';

const PRESETS = [
  { name: NONE, text: 'None' },
  { name: '3', text: 'Packet 3' },
  { name: '3+3.2', text: '3, and again' },
  { name: '15', text: 'The last' },
  { name: 'a1', text: 'The ACK' },
];

/** Ladders of one recorded message: the reader loses a packet, and sees what the device then did. */
export function RecordedMessage() {
  const [{ lost }, change] = useControls(DEFAULTS);
  const { files, failure } = useFiles();
  const asked = lost === NONE ? '' : lost;
  const key = isRecorded(asked) ? asked : DEFAULTS.lost;
  const { once: file, twice } = files;
  const filed = file?.ladders[key] ?? twice?.ladders[key];
  const ladder = useMemo(() => filed && file && readLadder(filed, file.wire), [filed, file]);
  const clean = useMemo(() => file && endOf(readLadder(file.ladders['']!, file.wire)), [file]);
  const losses = useMemo(() => lossesOf(key), [key]);
  const onPress = useCallback(
    (name: string) => {
      const [press] = lossesOf(name);
      if (press) change({ lost: nameOf(pressed(losses, press)) || NONE });
    },
    [change, losses],
  );
  const handles = useMemo(() => {
    if (!ladder) return [];
    const known = (loss: Loss): string | null => {
      const to = nameOf(pressed(losses, loss));
      return file?.ladders[to] || twice?.ladders[to] ? nameOfLoss(loss) : null;
    };
    return handlesOf(
      ladder,
      (i) => {
        const { psn, copy } = ladder.packets[i]!;
        return copy > 2 ? null : known({ packet: psn, copy: copy as 1 | 2 });
      },
      (i) => known({ answer: i + 1 }),
    );
  }, [ladder, losses, file, twice]);
  if (failure) return <FailureNote failure={failure} />;
  if (!file || !ladder || clean === null) return <Skeleton className="h-96 w-full" />;
  return (
    <div data-explorable="amplification" data-using={JSON.stringify({ lost: key })}>
      <LadderPart
        {...{ ladder, handles, onPress, clean }}
        hint="Press a packet to lose it, also one that is sent again, or an answer. Keys: arrows choose, x loses."
      >
        <PressedChoice
          label="Lost"
          options={PRESETS}
          value={key || NONE}
          onChange={(name) => change({ lost: name })}
        />
        <span className="text-ink-2" data-words>
          One WRITE of {formatCount(file.message)} B through shared memory, {formatTime(clean)} without a
          loss.
        </span>
      </LadderPart>
    </div>
  );
}
