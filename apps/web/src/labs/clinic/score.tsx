'use client';
import type { CategoryId, ClinicCase } from '@verbslab/labs';
import { Button } from '../../ui/button';
import { cn } from '../../ui/cn';
import { inARow, tallies, type Solved } from './game';
import { useScore } from './score-store';

/** Right diagnoses, points, and right ones in a row. */
export function ScoreLine({ solved }: { solved: readonly Solved[] }) {
  const right = solved.filter((one) => one.right).length;
  const points = solved.reduce((sum, one) => sum + one.points, 0);
  return (
    <p className="flex flex-wrap gap-x-5 text-13 text-ink-2" data-words>
      <span>
        solved <b className="num font-semibold text-ink">{right}</b> of{' '}
        <span className="num">{solved.length}</span>
      </span>
      <span>
        points <b className="num font-semibold text-ink">{points}</b>
      </span>
      <span>
        in a row <b className="num font-semibold text-ink">{inARow(solved)}</b>
      </span>
    </p>
  );
}

/** A square for each case, by category. */
export function ScoreByCategory(props: {
  cases: readonly ClinicCase[];
  categories: readonly { id: CategoryId; title: string }[];
  solved: readonly Solved[];
}) {
  const { cases, categories, solved } = props;
  const forget = useScore((s) => s.forget);
  return (
    <section aria-labelledby="by-category" className="mt-6 border-t pt-3" data-words>
      <h2 id="by-category" className="mb-1 font-semibold">
        By category
      </h2>
      <table className="w-full text-13">
        <tbody>
          {tallies(cases, categories, solved).map(({ id, title, cases: squares }) => {
            const right = squares.filter((one) => one === true).length;
            const met = squares.filter((one) => one !== null).length;
            return (
              <tr key={id}>
                <th scope="row" className="py-0.5 pr-2 text-left font-normal">
                  {title}
                </th>
                <td className="py-0.5" aria-hidden>
                  <span className="flex gap-0.5">
                    {squares.map((one, i) => (
                      <span
                        key={i}
                        className={cn(
                          'size-2.5',
                          one === null ? 'bg-[var(--slot)]' : one ? 'bg-ok-ink' : 'border border-error',
                        )}
                      />
                    ))}
                  </span>
                </td>
                <td className="num py-0.5 text-right text-ink-2">
                  {met === 0 ? <span className="text-ink-3">none yet</span> : `${right} of ${met}`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {solved.length > 0 ? (
        <Button kind="quiet" size="small" className="mt-2" onClick={forget}>
          Reset the score
        </Button>
      ) : null}
    </section>
  );
}
