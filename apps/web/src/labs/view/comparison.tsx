import type { PredictionView } from '@verbslab/labs';
import { Check } from 'lucide-react';
import { cn } from '../../ui/cn';
import { Gloss } from '../../ui/gloss';

/**
 * What was predicted, beside what the run showed. `over`: the run has ended, and answers also what was asked without a
 * prediction.
 */
export function Comparison({ list, over }: { list: readonly PredictionView[]; over: boolean }) {
  const told = list.filter(({ predicted, measured }) => predicted !== null || (over && measured !== null));
  if (told.length === 0) return null;
  return (
    <table className="w-full table-fixed text-13" aria-label="Your prediction and the measurement">
      <thead className="text-12 text-ink-3">
        <tr className="border-b">
          <th scope="col" className="h-7 pr-3 text-left font-normal">
            Your prediction
          </th>
          <th scope="col" className="h-7 text-left font-normal">
            Measured
          </th>
        </tr>
      </thead>
      {told.map(({ id, text, predicted, measured, unanswered, verdict, held }) => (
        <tbody key={id} data-result={id} className="border-b">
          <tr>
            <th
              scope="rowgroup"
              colSpan={2}
              className="pt-1.5 text-left text-12 leading-4 font-normal text-ink-3"
              data-words
            >
              <Gloss>{text}</Gloss>
            </th>
          </tr>
          <tr className="align-baseline">
            <td className="pr-3 pb-1.5">
              <span className="inline-flex items-baseline gap-1">
                {held ? <Check size={13} aria-hidden className="shrink-0 self-center text-ok-ink" /> : null}
                {predicted === null ? (
                  <span className="text-ink-3">none</span>
                ) : (
                  <span
                    data-shows="result-predicted"
                    className={cn(held === false && 'text-ink-3 line-through decoration-error')}
                  >
                    {predicted}
                  </span>
                )}
              </span>
            </td>
            <td className="pb-1.5">
              <span data-shows="result-measured" className={cn(measured !== null && 'font-medium')}>
                {measured ?? (over ? unanswered : 'not yet measured')}
              </span>
              {verdict === null ? null : (
                <span data-shows="result-verdict" className="block text-12 text-ink-3">
                  {verdict}
                </span>
              )}
            </td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}
