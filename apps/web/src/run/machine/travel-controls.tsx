'use client';
import { Pause, Play, RotateCcw } from 'lucide-react';
import { count, text, time } from '../../format/number';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import type { Travel } from '../../model/machine/travel';
import { nameOf } from '../../model/machine/names';
import { landedAt } from './travel-over';
import type { Player } from './player';
import { usePlayer } from './use-player';

/** Stages of a work request with their true times, and the player of their animation. Each stage is a button. */
export function TravelControls(props: {
  travel: Travel;
  player: Player;
  still: boolean;
  titleOf: (endpoint: string) => string;
}) {
  const { travel, player, still, titleOf } = props;
  const { work, stages } = travel;
  const over = usePlayer(player, (one) => one.over);
  const playing = usePlayer(player, (one) => one.playing);
  const rests = usePlayer(player, (one) => one.rests);
  const stage = usePlayer(player, (one) => one.stage);
  const current = rests ? -1 : stage;
  return (
    <div className="mt-3" data-travel-stages={stages.length} data-wr={work.wrId} data-seq={work.seq}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-13 font-semibold" data-words>
          Path of the work request with wr_id {Number.isNaN(work.wrId) ? 'unknown' : work.wrId}
        </h3>
        {still ? null : (
          <Button size="small" onClick={() => (playing ? player.pause() : player.play())}>
            {playing ? (
              <Pause size={12} aria-hidden />
            ) : rests ? (
              <RotateCcw size={12} aria-hidden />
            ) : (
              <Play size={12} aria-hidden />
            )}
            {playing ? 'Pause' : rests ? 'Replay' : 'Play'}
          </Button>
        )}
        {still ? null : <Scrub player={player} />}
        <span className="text-12 text-ink-3" data-words>
          {still
            ? 'Choose a stage. Times count from the posting.'
            : 'Slowed down, each stage equally long. Times count from the posting.'}
        </span>
      </div>
      <ol className="mt-1 flex flex-wrap gap-1">
        {stages.map((stage, i) => (
          <li key={i} data-stage={stage.id} data-packet={stage.packet ?? undefined}>
            <button
              type="button"
              aria-current={i === current ? 'step' : undefined}
              onClick={() => {
                player.pause();
                player.seek(i + 1);
              }}
              className={cn(
                'min-h-8 rounded-[3px] border px-2 text-left text-12 pointer-coarse:min-h-11',
                i === current ? 'border-accent bg-accent-wash' : 'hover:bg-hover',
              )}
            >
              <span className="block" data-shows="travel-stage">
                {stage.label}
              </span>
              <span className="num block text-ink-3" data-shows="travel-time">
                {stage.t === work.posted ? '0' : `+${text(time(stage.t - work.posted))}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <Landed travel={travel} over={over} titleOf={titleOf} />
      {travel.hasPackets ? null : (
        <p className="mt-1 text-12 text-ink-3" data-words>
          None of the recorded packets could be matched to this request.
        </p>
      )}
      {work.life === null ? (
        <p className="mt-1 text-12 text-ink-3" data-words>
          The record has no timeline of this request: when its CQE was written is not known.
        </p>
      ) : null}
    </div>
  );
}

/** Number of payload bytes that have arrived in the destination memory. */
function Landed(props: { travel: Travel; over: number; titleOf: (endpoint: string) => string }) {
  const { travel, over, titleOf } = props;
  const into = travel.landing?.into;
  if (!into || !travel.hasPackets) return null;
  const { region, bytes: all } = into;
  return (
    <p className="mt-1 text-13 text-ink-2">
      <span data-words>
        Payload in {nameOf(region)} of {titleOf(region.endpoint)}:
      </span>{' '}
      <span
        className="num text-12"
        data-shows="travel-landed"
        data-until={over === 0 ? 0 : travel.stages[over - 1]!.t}
      >
        {count(landedAt(travel.stages, over))} of {count(all)}&nbsp;B
      </span>
    </p>
  );
}

const FINE = 100;

function Scrub({ player }: { player: Player }) {
  const position = usePlayer(player, (one) => one.position);
  return (
    <input
      type="range"
      aria-label="Position in the animation"
      aria-valuetext={`stage ${Math.min(player.stages, Math.floor(position) + 1)} of ${player.stages}`}
      min={0}
      max={player.stages * FINE}
      value={Math.round(position * FINE)}
      onChange={(e) => {
        player.pause();
        player.seek(Number(e.target.value) / FINE);
      }}
      className="h-8 w-40 accent-(--accent)"
    />
  );
}
