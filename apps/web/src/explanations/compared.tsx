import type { ExplainedRun } from './types';

/** Name of the run whose figures are shown. */
export const runName = ({ record, sample }: ExplainedRun): string =>
  sample ? 'recorded sample' : `${record.imported ? 'run' : 'your run'} ${record.number}`;

/** What the rule says beside what a run recorded. `recorded`: null where the run has nothing of this situation. */
export function Compared(props: {
  run: ExplainedRun;
  lines: readonly { what: string; computed: string; recorded: string | null }[];
}) {
  const { run, lines } = props;
  return (
    <table className="w-full text-13" data-words>
      <thead>
        <tr className="border-b text-left text-12 text-ink-3">
          <th className="py-1 pr-3 font-normal">
            <span className="sr-only">What</span>
          </th>
          <th className="py-1 pr-3 font-normal">Computed</th>
          <th className="py-1 font-normal">Recorded ({runName(run)})</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ what, computed, recorded }) => (
          <tr key={what} className="border-b border-grid">
            <th scope="row" className="py-1 pr-3 text-left font-normal text-ink-2">
              {what}
            </th>
            <td className="num py-1 pr-3">{computed}</td>
            <td className="num py-1">{recorded ?? <span className="text-ink-3">–</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
