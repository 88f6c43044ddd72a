'use client';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { BytePaths } from '../../model/paths/byte-path';
import { TableSwitch } from '../../ui/table-switch';
import { useReducedMotion } from '../../ui/use-reduced-motion';
import { useWidth } from '../../ui/use-width';
import { PlayButton } from '../picture/controls';
import { Playback } from '../picture/playback';
import { useHeldUnseen, usePlayed } from '../picture/use-playback';
import { pathSentence } from './path-words';
import { PathsDrawing } from './paths-drawing';
import { PathsTable } from './paths-table';
import { usePointed } from './pointed';
import { useDots } from './use-dots';

const REM = 16;
const TITLE = 'Paths of the bytes';

export interface PathsPictureProps {
  shown: BytePaths;
  width?: number;
  /** True to show figures; else the picture asks for them. */
  told?: boolean;
  /** The computer measures at the same time: four frames per second. */
  sparing?: boolean;
}

/** The paths that the same bytes took: lines as wide as their goodput, with dots as fast as the bytes. */
export function PathsPicture({ shown, width, told = true, sparing = false }: PathsPictureProps) {
  const root = useRef<HTMLDivElement>(null);
  const measured = useWidth(root);
  const known = width ?? (measured === null ? null : Math.floor(measured * REM));
  const calm = useReducedMotion();
  const playback = useMemo(() => new Playback(Infinity), []);
  useHeldUnseen(root, playback);
  const playing = usePlayed(playback, (one) => one.playing);
  const still = calm || !told;
  useEffect(() => playback.set({ sparing }), [playback, sparing]);
  useEffect(() => {
    if (!still) playback.play();
    return () => playback.pause();
  }, [playback, still]);
  const dotsOf = useDots(playback, shown);
  const pointed = usePointed((s) => s.transport);
  const point = usePointed((s) => s.point);
  useEffect(() => () => point(null), [point]);
  const [table, setTable] = useState(false);
  const id = useId();
  const { paths } = shown;
  const one = paths.find(({ transport }) => transport === pointed);
  const toggle = () => (playing ? playback.pause() : playback.play());

  const onKeyDown = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey) return;
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      const at = one ? paths.indexOf(one) : step > 0 ? -1 : 0;
      point(paths[(at + step + paths.length) % paths.length]!.transport);
    } else if (e.key === 'Escape' && one) point(null);
    else if (e.key === 't') setTable((old) => !old);
    else if (e.key === ' ' && !still) toggle();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };

  return (
    <div ref={root} className="flex min-w-0 flex-col" data-paths>
      <div
        tabIndex={0}
        role="listbox"
        aria-label={TITLE}
        aria-activedescendant={one ? `${id}${one.transport}` : undefined}
        onKeyDown={onKeyDown}
        className="relative min-h-[24.5rem]"
      >
        {known === null ? null : (
          <PathsDrawing {...{ shown, told, pointed, dotsOf }} width={known} onPoint={point} />
        )}
        {paths.map((path) => (
          <span
            key={path.transport}
            id={`${id}${path.transport}`}
            role="option"
            aria-selected={path.transport === pointed}
            className="sr-only"
            data-shows="path-words"
          >
            {pathSentence(path, shown, !told)}
          </span>
        ))}
      </div>
      <div className="mt-2 flex items-start gap-3">
        {still ? null : <PlayButton playing={playing} disabled={false} onPress={toggle} />}
        <TableSwitch of={TITLE} picture="picture" shown={table} onToggle={() => setTable((old) => !old)} />
        <p className="min-h-16 max-w-[72ch] text-13 text-ink-2" data-shows="path-words">
          {one ? pathSentence(one, shown, !told) : told ? readingOf(still) : ASKS}
        </p>
      </div>
      {table ? <PathsTable {...{ shown, told }} /> : null}
    </div>
  );
}

/** How the drawing is read. `still`: its dots do not move. */
const readingOf = (still: boolean): string =>
  `Lines are as wide as the goodput. ${still ? '' : 'Dots move as fast as the bytes did, relative to each other. '}Point at a path or a row, or press ↑ ↓.`;

const ASKS =
  'Three ways for the same bytes. Which is fastest, and where does the kernel work? Run the lab to see.';
