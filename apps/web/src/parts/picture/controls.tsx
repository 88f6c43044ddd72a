import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { memo } from 'react';
import type { PictureStage } from '../../model/picture/recording';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';

export function PlayButton(props: { playing: boolean; disabled: boolean; onPress: () => void }) {
  const { playing, disabled, onPress } = props;
  const Icon = playing ? Pause : Play;
  return (
    <Button className="min-w-24" disabled={disabled} onClick={onPress}>
      <Icon size={14} aria-hidden />
      {playing ? 'Pause' : 'Play'}
    </Button>
  );
}

/** The keys of the picture do the same: its buttons are left out of the order of Tab. */
export const StepButton = memo(function StepButton({
  by,
  onStep,
}: {
  by: 1 | -1;
  onStep: (by: 1 | -1) => void;
}) {
  const Icon = by === 1 ? ChevronRight : ChevronLeft;
  return (
    <Button
      shape="icon"
      tabIndex={-1}
      aria-label={by === 1 ? 'Next stage' : 'Previous stage'}
      onClick={() => onStep(by)}
    >
      <Icon size={16} aria-hidden />
    </Button>
  );
});

/** More stages than this have numbers alone: the caption has the name. */
const NAMED = 8;
/** Most numbers that fit side by side, and on a phone. The others are left out, but for that of the current stage. */
const NUMBERED = { wide: 20, narrow: 10 };

/** Class of the number of stage `i` of `count`, which is hidden where it would touch its neighbors. */
function numberClass(i: number, count: number, current: number): string {
  const left = (most: number): boolean => {
    const every = Math.ceil(count / most);
    // Neighbors of the current one leave it their room.
    return i !== current && (i % every !== 0 || (every > 1 && Math.abs(i - current) < every));
  };
  return cn(left(NUMBERED.narrow) && 'max-sm:sr-only', left(NUMBERED.wide) && 'sr-only');
}

/** A button for each stage. `limit`: the stage whose question is asked; those from it on cannot be chosen. */
export const StageButtons = memo(function StageButtons(props: {
  stages: readonly PictureStage[];
  current: number;
  limit: number | null;
  onChoose: (stage: number) => void;
}) {
  const { stages, current, limit, onChoose } = props;
  return (
    <ol className="grid auto-cols-fr grid-flow-col">
      {stages.map(({ name, cut }, i) => {
        const asked = limit !== null && i >= limit;
        return (
          <li key={i} className={cn('min-w-0 border-l', cut > 0 && 'border-dashed border-line-strong')}>
            <button
              type="button"
              tabIndex={-1}
              disabled={asked && i !== limit}
              aria-current={i === current ? 'step' : undefined}
              title={name}
              onClick={() => onChoose(i)}
              className={cn(
                'block h-full w-full px-1.5 pt-3 pb-1 text-left align-top text-12 leading-4 wrap-anywhere max-sm:px-0.5 pointer-coarse:min-h-11',
                i === current ? 'font-medium text-ink' : 'text-ink-3 hover:text-ink',
              )}
            >
              <span
                className={cn(
                  'num font-normal whitespace-nowrap',
                  stages.length > NAMED ? numberClass(i, stages.length, current) : 'mr-1',
                )}
              >
                {i + 1}
              </span>
              <span className={stages.length > NAMED ? 'sr-only' : 'max-sm:sr-only'}>
                {asked ? '?' : name}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
});
