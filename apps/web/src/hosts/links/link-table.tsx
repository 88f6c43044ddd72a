import { runHref } from '../../addresses';
import { PageLink } from '../../ui/page-link';
import { hostText, isLoopback, mediumText, quietText } from './link-text';
import { RateText } from './rate-text';
import type { HostLink } from './topology';

const cell = 'py-1 pr-4 text-left align-top font-normal last:pr-0';
const number = `${cell} text-right`;

/** Table with the content of the picture. */
export function LinkTable({ links }: { links: readonly HostLink[] }) {
  return (
    <div className="thin-scroll overflow-x-auto border-y" role="region" aria-label="Links" tabIndex={0}>
      <table className="w-full min-w-[30rem] text-13">
        <thead className="text-ink-3">
          <tr>
            <th scope="col" className={cell}>
              From
            </th>
            <th scope="col" className={cell}>
              To
            </th>
            <th scope="col" className={cell}>
              Carried by
            </th>
            <th scope="col" className={number}>
              Out
            </th>
            <th scope="col" className={number}>
              In
            </th>
            <th scope="col" className={cell}>
              Run
            </th>
          </tr>
        </thead>
        <tbody>
          {links.map((link) => (
            <tr
              key={`${link.from.name} ${link.to.name}`}
              data-path={`${link.from.name} ${link.to.name}`}
              data-run={link.runs.at(-1)?.runId}
              className="border-t"
            >
              <td className={`${cell} num break-all`}>{hostText(link.from)}</td>
              <td className={`${cell} num break-all`}>{isLoopback(link) ? 'itself' : hostText(link.to)}</td>
              <td className={cell}>{mediumText(link)}</td>
              {link.rates && quietText(link) === null ? (
                <>
                  <td className={number}>
                    <RateText rate={link.rates.out} shows="link-out" />
                  </td>
                  <td className={number}>
                    <RateText rate={link.rates.in} shows="link-in" />
                  </td>
                </>
              ) : (
                <td className={`${number} text-ink-3`} colSpan={2}>
                  {quietText(link)}
                </td>
              )}
              <td className={cell}>
                {link.runs.length === 0 ? <span className="text-ink-3">none</span> : null}
                {link.runs.map(({ run, runId }) => (
                  <PageLink key={runId} href={runHref(runId)} className="mr-2 text-accent hover:underline">
                    {run}
                  </PageLink>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
