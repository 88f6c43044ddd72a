'use client';
import type { TaskPoint } from '@verbslab/labs/workbench';
import type { Check } from '@verbslab/protocol';
import { Check as Tick, Minus, X } from 'lucide-react';
import { Button } from '../ui/button';
import { Gloss } from '../ui/gloss';
import { PageLink } from '../ui/page-link';
import { nextPlace } from './next-place';

/** Points of the checker, with their results after a run. `onLine`: null while lines are not those of the program. */
export function Points(props: {
  points: readonly TaskPoint[];
  checks: ReadonlyMap<string, Check>;
  over: boolean;
  onLine: ((line: number) => void) | null;
  /** Address of the page of the checked run. */
  run?: string;
}) {
  const { points, checks, over, onLine, run } = props;
  const passed = points.filter(({ id }) => checks.get(id)?.ok).length;
  return (
    <section aria-labelledby="points" className="mt-6" data-points>
      <h2 id="points" className="mb-2 text-16 font-semibold">
        Points that the checker looks at
        {checks.size > 0 ? (
          <span className="num ml-2 text-13 font-normal text-ink-2" data-passed={passed}>
            {passed} of {points.length} passed
          </span>
        ) : null}
      </h2>
      <ul className="space-y-1.5">
        {points.map(({ id, text }) => {
          const check = checks.get(id);
          const at = check?.ok === false ? check.at : undefined;
          const next = check?.ok === false && run !== undefined ? nextPlace(id) : null;
          // The sentence is shown only once, under the first point that has it.
          const fresh =
            points.find((one) => checks.get(one.id)?.ok === false && nextPlace(one.id) === next)?.id === id;
          return (
            <li key={id} data-point={id} data-ok={check?.ok} className="grid grid-cols-[1.25rem_1fr] text-13">
              {check ? (
                check.ok ? (
                  <Tick size={15} className="mt-0.5 text-ok-ink" aria-label="passed" />
                ) : (
                  <X size={15} className="mt-0.5 text-error-ink" aria-label="not passed" />
                )
              ) : (
                <Minus
                  size={15}
                  className="mt-0.5 text-ink-3"
                  aria-label={over ? 'not checked' : 'not checked yet'}
                />
              )}
              <div>
                <p>
                  <Gloss>{text}</Gloss>
                </p>
                {check?.ok === false ? (
                  <p className="text-error-ink">
                    <Gloss>{check.detail}</Gloss>
                    {at && onLine ? (
                      <Button kind="quiet" size="small" className="ml-1" onClick={() => onLine(at.line)}>
                        Go to line {at.line}
                      </Button>
                    ) : null}
                  </p>
                ) : null}
                {next ? (
                  <p className="text-ink-2" data-next={next.panel}>
                    Where to look:{' '}
                    <PageLink href={`${run}#panel-${next.panel}`} className="text-accent underline">
                      {next.title}
                    </PageLink>{' '}
                    {fresh ? <Gloss>{next.after}</Gloss> : null}
                  </p>
                ) : null}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
