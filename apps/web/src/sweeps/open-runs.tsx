'use client';
import type { Measurement } from '@verbslab/protocol';
import { X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import { runHref } from '../addresses';
import { IconButton } from '../ui/button';
import { Rounds } from './rounds';

/** Value of a point, as a button that opens its runs. */
export function OpenRuns(props: { at: string; value: string; onOpen: () => void }) {
  const { at, value, onOpen } = props;
  return (
    <button
      type="button"
      aria-label={`${value}: open the runs at ${at}`}
      title={`Open the runs at ${at}`}
      onClick={onOpen}
      className="num min-h-8 min-w-8 text-right text-inherit underline decoration-line-strong underline-offset-4 hover:text-accent pointer-coarse:min-h-11 pointer-coarse:min-w-11"
    >
      {value}
    </button>
  );
}

/** Opened point of a figure. A point with a single run opens the run's page instead. */
export function useOpenRuns(measurements: readonly Measurement[]) {
  const router = useRouter();
  const [point, setPoint] = useState<number | null>(null);
  const opener = useRef<Element | null>(null);
  const behind = (at: number): Measurement[] => measurements.filter((one) => one.point === at);
  return {
    point,
    runs: point === null ? [] : behind(point),
    opens: (at: number): boolean => behind(at).some(({ runId }) => runId !== null),
    open: (at: number): void => {
      const runs = behind(at);
      const [only] = runs;
      if (runs.length === 1 && only && only.runId !== null) return router.push(runHref(only.runId));
      opener.current = document.activeElement;
      setPoint(at);
    },
    close: (): void => {
      setPoint(null);
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}

interface RunsBehindProps {
  /** Values of the point as text. */
  at: string;
  runs: readonly Measurement[];
  repeat: number;
  /** Value of the figure in a run. */
  figureOf: (run: Measurement) => string;
  onClose: () => void;
}

/** Runs of an opened point, each with its value. The first link gets the focus. */
export function RunsBehind({ at, runs, repeat, figureOf, onClose }: RunsBehindProps) {
  const id = useId();
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.querySelector('a')?.focus(), [at]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc closes what is open.
    <section
      ref={place}
      aria-labelledby={id}
      data-runs-behind
      className="mt-2 border-l-2 border-accent py-1 pl-3 text-13"
      onKeyDown={(e) => {
        if (e.key !== 'Escape') return;
        e.stopPropagation();
        onClose();
      }}
    >
      <div className="flex items-center justify-between gap-3">
        <h4 id={id} className="font-medium">
          Runs at {at}
        </h4>
        <IconButton label="Close the list of runs" onClick={onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      <Rounds list={runs} repeat={repeat} over={false} figureOf={figureOf} />
    </section>
  );
}
