import { cpuPerGBTotal } from '@verbslab/protocol';
import { inGbps, sig3 } from '../../format/number';
import { shareOf, type BytePath, type BytePaths } from '../../model/paths/byte-path';
import { percent, STOPS } from './path-words';

const COLUMNS = ['Transport', 'Path', 'Goodput, Gb/s', 'CPU, s/GB', 'Kernel’s share'];

/** The picture as a table, path by path. */
export function PathsTable({ shown, told }: { shown: BytePaths; told: boolean }) {
  return (
    <div
      className="thin-scroll mt-3 overflow-x-auto"
      tabIndex={0}
      role="group"
      aria-label="The paths as a table"
    >
      <table className="w-full text-13" data-shows="paths-table">
        <thead className="border-b text-left text-12 text-ink-3">
          <tr>
            {COLUMNS.map((head) => (
              <th key={head} scope="col" className="h-7 pr-4 font-normal">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {shown.paths.map((path) => (
            <tr key={path.transport} className="align-top">
              <th scope="row" className="py-1.5 pr-4 text-left font-medium whitespace-nowrap">
                {path.name}
              </th>
              <td className="py-1.5 pr-4 text-ink-2">{STOPS[path.way]}</td>
              {told ? (
                <Figures path={path} />
              ) : (
                <td colSpan={3} className="text-ink-3">
                  your run measures it
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Figures({ path: { goodputGbps, spread, cpu } }: { path: BytePath }) {
  const kernel = shareOf('kernel', cpu);
  const cell = 'num py-1.5 pr-4 text-12 whitespace-nowrap';
  return (
    <>
      <td className={cell}>
        {inGbps(goodputGbps)}{' '}
        {spread ? (
          <span className="block text-ink-3">{`${inGbps(spread.min)}–${inGbps(spread.max)}`}</span>
        ) : null}
      </td>
      <td className={cell}>{sig3(cpu && cpuPerGBTotal(cpu))}</td>
      <td className={cell}>{kernel === null ? '–' : percent(kernel)}</td>
    </>
  );
}
