'use client';
import { CircleHelp } from 'lucide-react';
import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import type { PictureStage } from '../../model/picture/recording';
import type { PictureState, Side } from '../../model/picture/state';
import { cn } from '../../ui/cn';
import { IconButton } from '../../ui/button';
import { Kbd } from '../../ui/kbd';
import { TableSwitch } from '../../ui/table-switch';
import { PlayButton, StageButtons, StepButton } from './controls';
import type { PictureSize } from './geometry';
import { Picture } from './picture';
import { actionOf } from './player-keys';
import { cutWords, questionOf, sentenceOf, tellingStates, timeAt, timeWords } from './stage-words';
import { useHeldUnseen, usePlayback, usePlayed } from './use-playback';

// Code that is loaded when a reader asks for the table or the key.
const StageTable = lazy(async () => ({ default: (await import('./stage-table')).StageTable }));
const PictureKey = lazy(async () => ({ default: (await import('./picture-key')).PictureKey }));

export interface PicturePlayerProps {
  /** What was recorded, as `One WRITE of 10,000 B`. */
  title: string;
  /** Other stages start the player over. */
  stages: readonly PictureStage[];
  stateAt: (t: number) => PictureState;
  size?: PictureSize;
  compact?: Side | null;
  width?: number;
  /** Plays by itself, unless the reader wants no movement. */
  autoplay?: boolean;
  loop?: boolean;
  /** Four frames per second: the computer measures at the same time. */
  sparing?: boolean;
  /** Stage to show first, by its name or its place from 0. */
  start?: string | number | null;
  /** Name of the stage that only a run answers: the picture stops before it, with a question mark. */
  stopAt?: string | null;
  /** Controls below the picture: all, the button to play alone, or none. The keys work in any case. */
  controls?: 'all' | 'play' | 'none';
  caption?: boolean;
  legend?: boolean;
  /** A packet was pressed, or `x` was. */
  onPacket?: (id: string) => void;
  /** Playing has come to the end. */
  onEnd?: () => void;
  /** Another stage is shown. */
  onStage?: (stage: number) => void;
}

/** Plays the stages of a recording, each for the same time on screen. */
export function PicturePlayer(props: PicturePlayerProps) {
  const { title, stages, stateAt, size, compact, width, onPacket, onEnd, onStage } = props;
  const { autoplay = false, loop = false, sparing = false, start = null, stopAt = null } = props;
  const { controls = 'all', caption = true, legend = controls === 'all' } = props;
  const root = useRef<HTMLDivElement>(null);
  const playback = usePlayback({ stages, start, stopAt, autoplay, loop, sparing });
  useHeldUnseen(root, playback);
  const position = usePlayed(playback, (one) => one.position);
  const playing = usePlayed(playback, (one) => one.playing);
  const moving = usePlayed(playback, (one) => one.moving);
  const [table, setTable] = useState(false);
  const [key, setKey] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  /** Read out: a stage that was stepped to, or a packet that was chosen. */
  const [said, setSaid] = useState('');
  const keys = useId();

  const asked = stages.findIndex(({ name }) => name === stopAt);
  const limit = asked < 0 ? null : asked;
  const index = playback.stage;
  const stage = stages[index];
  const asks = limit !== null && position >= limit;
  const state = stateAt(timeAt(stages, position));
  const telling = useMemo(() => tellingStates(stages, stateAt), [stages, stateAt]);

  const ended = position >= stages.length && !playing;
  useEffect(() => {
    if (ended) onEnd?.();
  }, [ended, onEnd]);

  useEffect(() => onStage?.(index), [onStage, index]);

  const stepped = useCallback(
    (to: () => void) => {
      to();
      setSaid(sentenceOf(title, stages, playback.stage, limit !== null && playback.stage >= limit));
    },
    [title, stages, playback, limit],
  );
  const choose = useCallback((to: number) => stepped(() => playback.go(to)), [stepped, playback]);
  const step = useCallback((by: 1 | -1) => stepped(() => playback.step(by)), [stepped, playback]);
  const toggle = () => {
    setSaid('');
    if (playing) playback.pause();
    else playback.play();
  };

  const packets = state.packets.filter(({ lost }) => !lost);
  const choosePacket = (by: 1 | -1) => {
    if (packets.length === 0) return;
    playback.pause();
    const at = packets.findIndex(({ id }) => id === chosen);
    const next = packets[at < 0 ? 0 : (at + by + packets.length) % packets.length]!;
    setChosen(next.id);
    setSaid(`Packet ${next.label}${next.psn === null ? '' : `, PSN ${next.psn}`}. Press x to lose it.`);
  };
  const lose = () => {
    const packet = packets.find(({ id }) => id === chosen) ?? packets[0];
    if (packet) onPacket?.(packet.id);
  };

  const onKeyDown = (e: KeyboardEvent) => {
    const action = actionOf(e, onPacket !== undefined);
    // Space on a button presses it.
    if (action === null || (action === 'play' && e.target instanceof HTMLButtonElement)) return;
    e.preventDefault();
    if (action === 'play') toggle();
    else if (action === 'next') step(1);
    else if (action === 'previous') step(-1);
    else if (action === 'first') choose(0);
    else if (action === 'last') choose(limit ?? stages.length - 1);
    else if (action === 'table') setTable((old) => !old);
    else if (action === 'lose') lose();
    else choosePacket(action === 'next-packet' ? 1 : -1);
  };

  /** No later stage than the one that is asked for gives its marks away. */
  const told = limit === null ? telling : telling.slice(0, limit + 1);
  const sentence = sentenceOf(title, stages, index, asks);
  return (
    // The keys work at the picture, which is the one stop of Tab, and at its controls.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={root}
      role="group"
      aria-label={title}
      onKeyDown={onKeyDown}
      className="@container flex min-w-0 flex-col"
      data-player
    >
      <div tabIndex={0} role="application" aria-label="Player of the picture" aria-describedby={keys}>
        <Picture
          {...{ state, asks }}
          label={sentence}
          playing={moving && !sparing}
          chosen={chosen}
          onPacket={onPacket}
          {...(size ? { size } : {})}
          {...(compact ? { compact } : {})}
          {...(width === undefined ? {} : { width })}
        />
      </div>
      <p id={keys} className="sr-only">
        Space plays, arrows step, t shows the same as a table
        {onPacket ? ', up and down choose a packet, x loses it' : ''}.
      </p>
      <p role="status" className="sr-only">
        {said}
      </p>
      {controls === 'all' ? (
        <div className="mt-3 grid gap-x-3.5 gap-y-2 max-sm:sticky max-sm:bottom-14 max-sm:z-10 max-sm:border-t max-sm:bg-page max-sm:py-2 @4xl:grid-cols-[auto_minmax(0,1fr)]">
          <div className="flex items-start gap-2">
            <StepButton by={-1} onStep={step} />
            <PlayButton playing={playing} disabled={limit === 0} onPress={toggle} />
            <StepButton by={1} onStep={step} />
            <TableSwitch
              of={title}
              picture="picture"
              shown={table}
              onToggle={() => setTable((old) => !old)}
            />
            {legend ? null : (
              <IconButton
                label="What the marks of the picture mean"
                aria-expanded={key}
                onClick={() => setKey((old) => !old)}
              >
                <CircleHelp size={14} aria-hidden />
              </IconButton>
            )}
          </div>
          <div className="min-w-0">
            <input
              type="range"
              tabIndex={-1}
              min={0}
              max={stages.length}
              step={0.01}
              value={position}
              aria-label="Position in the recording"
              aria-valuetext={stage ? `${stage.name}, ${timeWords(stage, position - index)}` : title}
              onChange={(e) => playback.seek(Number(e.target.value))}
              className="block h-4 w-full accent-(--accent)"
            />
            <StageButtons stages={stages} current={index} limit={limit} onChoose={choose} />
          </div>
        </div>
      ) : null}
      {caption || legend ? (
        <div
          className={cn(
            'grid gap-x-8 gap-y-2 max-sm:contents',
            legend && 'md:grid-cols-[minmax(0,1fr)_minmax(0,25rem)]',
            controls === 'play' && 'grid-cols-[minmax(0,1fr)_auto]',
            controls === 'all' ? 'mt-2' : 'mt-3',
          )}
        >
          {caption && stage ? (
            <div className="grid max-sm:order-first max-sm:mb-3">
              <Room {...{ stages, limit }} />
              <Caption
                stage={stage}
                number={index + 1}
                time={[timeWords(stage, asks ? 0 : position - index), cutWords(stage)]
                  .filter(Boolean)
                  .join(', ')}
                asks={asks}
                numbered={controls === 'all'}
              />
            </div>
          ) : null}
          {controls === 'play' ? (
            <div className="max-sm:mt-2">
              <PlayButton playing={playing} disabled={limit === 0} onPress={toggle} />
            </div>
          ) : null}
          {legend ? (
            <div className="flex flex-col gap-2">
              <Suspense fallback={null}>
                <PictureKey states={told} />
              </Suspense>
              {controls === 'all' ? <Keys /> : null}
            </div>
          ) : null}
        </div>
      ) : null}
      {key && !legend ? (
        <div className="mt-3">
          <Suspense fallback={null}>
            <PictureKey states={told} />
          </Suspense>
          <Letters />
        </div>
      ) : null}
      {table ? (
        <Suspense fallback={null}>
          <StageTable {...{ title, stages, stateAt, limit }} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** The short names in the picture. */
const Letters = memo(function Letters() {
  return (
    <p className="mt-1.5 max-w-[72ch] text-12 text-ink-3">
      SQ, RQ and CQ: the send, receive and completion queue; the number in a ring counts what it holds, and ?
      was not recorded. WQE: a request in a queue. QP: a send and a receive queue; RTS: it is ready to send.
      MR: registered memory; lkey and rkey: its keys for this host and for a peer.
    </p>
  );
});

/** The keys of the player, for those who have any. */
const Keys = memo(function Keys() {
  return (
    <p className="flex flex-wrap gap-x-3 text-12 text-ink-3 max-sm:hidden pointer-coarse:hidden">
      <span>
        <Kbd keys="space" /> play
      </span>
      <span>
        <Kbd keys="← →" /> step
      </span>
      <span>
        <Kbd keys="t" /> table
      </span>
    </p>
  );
});

const CAPTION = 'col-start-1 row-start-1 max-w-[72ch] text-14';

/** As high as the longest caption that may be shown, so that nothing below moves. */
const Room = memo(function Room(props: { stages: readonly PictureStage[]; limit: number | null }) {
  const { stages, limit } = props;
  const texts = stages.map((stage, i) => (limit !== null && i >= limit ? questionOf(stage) : stage.caption));
  return texts.slice(0, limit === null ? undefined : limit + 1).map((text, i) => (
    <p key={i} aria-hidden className={cn(CAPTION, 'invisible')}>
      <br />
      {text}
    </p>
  ));
});

/** Name, recorded time and sentence of a stage, or its question. */
const Caption = memo(function Caption(props: {
  stage: PictureStage;
  number: number;
  time: string;
  asks: boolean;
  numbered: boolean;
}) {
  const { stage, number, time, asks, numbered } = props;
  return (
    <p className={CAPTION} data-shows="picture-stage">
      <b className="font-semibold">
        {numbered ? `${number}. ` : ''}
        {asks ? '?' : stage.name}
      </b>{' '}
      <span className="num ml-1 text-12 text-ink-3" data-shows="picture-time">
        {time}
      </span>
      <br />
      {asks ? questionOf(stage) : stage.caption}
    </p>
  );
});
