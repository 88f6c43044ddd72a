/** The table behind a chart. */
export function DataTable({
  shows,
  caption,
  head,
  rows,
}: {
  /** The name by which the audit knows the table. */
  shows: string;
  caption: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}) {
  return (
    // A scrolling region has to be reachable by keyboard.

    <div
      className="thin-scroll h-full overflow-auto px-3 pb-2"
      tabIndex={0}
      role="group"
      aria-label={caption}
    >
      <table className="w-full text-13" data-shows={shows}>
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-panel text-12 text-ink-3">
          <tr>
            {head.map((h) => (
              <th key={h} scope="col" className="h-7 px-2 text-right font-normal first:pl-0 first:text-left">
                {h}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="num divide-y">
          {rows.map((r, i) => (
            <tr key={i}>
              {r.map((c, j) => (
                <td key={j} className="h-6 px-2 text-right first:pl-0 first:text-left">
                  {typeof c === 'number' ? c.toLocaleString('en-GB') : c}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
