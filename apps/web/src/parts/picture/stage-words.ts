import { text, time } from '../../format/number';
import type { PictureStage } from '../../model/picture/recording';
import type { Owner, PictureState, Side } from '../../model/picture/state';
import { TELLING } from './playback';

/** Time of a recording at a position: a stage, and a part of it. */
export function timeAt(stages: readonly PictureStage[], position: number): number {
  const stage = stages[Math.max(0, Math.min(stages.length - 1, Math.floor(position)))];
  if (!stage) return 0;
  const part = Math.min(1, position - stages.indexOf(stage));
  return stage.from + part * (stage.to - stage.from);
}

/** Recorded time of a position. Between two recorded moments, it is only known to be between them. */
export function timeWords({ from, to }: PictureStage, part: number): string {
  if (part <= 0 || to <= from) return text(time(from));
  if (part >= 1) return text(time(to));
  return `between ${text(time(from))} and ${text(time(to))}`;
}

/** Says that the picture leaves out the time before a stage. */
export const cutWords = ({ cut }: PictureStage): string | null =>
  cut > 0 ? `after ${text(time(cut))} not shown` : null;

/** What the picture shows, as it is read out. */
export function sentenceOf(
  title: string,
  stages: readonly PictureStage[],
  index: number,
  asks: boolean,
): string {
  const stage = stages[index];
  if (!stage) return title;
  const where = `${title}, stage ${index + 1} of ${stages.length}: ${stage.name}.`;
  return `${where} ${asks ? questionOf(stage) : stage.caption}`;
}

export const questionOf = ({ asks }: PictureStage): string => asks ?? 'What happens next?';

/** The state that explains each stage. */
export const tellingStates = (
  stages: readonly PictureStage[],
  stateAt: (t: number) => PictureState,
): PictureState[] => stages.map(({ from, to }) => stateAt(from + TELLING * (to - from)));

/** Moments of a stage at which it is looked for who works. */
const LOOKS = [0.05, 0.35, TELLING, 0.95];

const ORDER: readonly Owner[] = ['program', 'library', 'device', 'kernel'];

/** Who works during a stage: `client program, library; server device`. */
export function worksDuring({ from, to }: PictureStage, stateAt: (t: number) => PictureState): string {
  const states = LOOKS.map((part) => stateAt(from + part * (to - from)));
  const sides = (['client', 'server'] as const).flatMap((side: Side) => {
    const owners = ORDER.filter((owner) => states.some(({ hosts }) => hosts[side].lit.includes(owner)));
    return owners.length === 0 ? [] : [`${side} ${owners.join(', ')}`];
  });
  return sides.length === 0 ? 'nobody' : sides.join('; ');
}
