'use client';
import { useLayoutEffect, useMemo, useRef } from 'react';
import type { RunView } from '../../connection/run-view';
import { callsOf, type StepLog } from '../../model/step-log';
import { cn } from '../../ui/cn';
import { statements } from '../c/calls';
import { Objects, type Verb } from '../c/objects';
import type { Stretch } from './step-picture';

/** Lines of C for one call, with the values of the run. */
interface Piece {
  verb: Verb | null;
  lines: readonly string[];
}

function piecesOf(view: RunView, step: StepLog): Piece[] {
  const objects = new Objects(view.model.trace.filter((e): e is Verb => e.kind === 'verb'));
  const pieces = callsOf(step).flatMap((verb): Piece[] => {
    const lines = statements(verb, objects, false);
    return lines ? [{ verb, lines }] : [];
  });
  return step.c ? [...pieces, { verb: null, lines: step.c.split('\n') }] : pieces;
}

/** The call that runs in a stretch, or ran last before its end. */
function litOf(pieces: readonly Piece[], { from, to }: Stretch): Piece | undefined {
  const begun = pieces.filter(({ verb }) => verb !== null && verb.t <= to);
  return begun.find(({ verb }) => verb!.t + verb!.durationNs >= from) ?? begun.at(-1);
}

/** C source of a step with the values of the run. The call that the picture shows is lit. */
export function StepCode({ view, step, shown }: { view: RunView; step: StepLog; shown: Stretch | null }) {
  const box = useRef<HTMLPreElement>(null);
  const { length } = step.events;
  const pieces = useMemo(() => piecesOf(view, step), [view, step.id, length]); // oxlint-disable-line react/exhaustive-deps -- of a step only events are added
  const lit = shown ? litOf(pieces, shown) : undefined;
  useLayoutEffect(() => {
    const line = box.current?.querySelector<HTMLElement>('[data-lit]');
    // Only the box scrolls, never the page.
    if (line) box.current!.scrollTop = line.offsetTop - box.current!.offsetTop - 24;
  }, [lit]);
  if (pieces.length === 0) return null;
  return (
    <pre
      ref={box}
      tabIndex={0}
      aria-label="Source of this step in C"
      className="num thin-scroll mt-3 max-h-24 overflow-auto rounded-[4px] bg-sunken px-2.5 py-2 text-12 leading-5"
      data-words
    >
      {pieces.map((piece, i) => {
        const { verb, lines } = piece;
        const changes = verb !== null && verb.endpoint !== pieces[i - 1]?.verb?.endpoint;
        return (
          <span key={verb?.seq ?? `c${i}`} className="block">
            {changes ? <span className="block text-ink-3">{`/* ${verb.endpoint ?? ''} */`}</span> : null}
            {lines.map((line, k) => {
              const on = piece === lit && (verb === null || line.includes(`${verb.call}(`));
              return (
                <span
                  key={k}
                  data-call-line={on ? verb?.call : undefined}
                  data-lit={on ? '' : undefined}
                  className={cn(
                    'block w-max min-w-full border-l-2 pl-1.5 whitespace-pre',
                    on ? 'border-cpu-app bg-cpu-app/15 font-medium' : 'border-transparent text-ink-2',
                  )}
                >
                  {line.replaceAll('\t', '  ') || ' '}
                </span>
              );
            })}
          </span>
        );
      })}
    </pre>
  );
}
