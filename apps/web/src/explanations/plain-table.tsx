/** The table behind a figure. */
export function PlainTable(props: {
  label: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Name of the statement for the audit. */
  shows?: string | undefined;
}) {
  const { label, head, rows, shows } = props;
  return (
    <div className="max-h-[32rem] overflow-auto border-y" tabIndex={0} role="region" aria-label={label}>
      <table className="num w-full text-13" data-shows={shows}>
        <thead className="sticky top-0 bg-page text-left text-12 text-ink-3">
          <tr>
            {head.map((name) => (
              <th key={name} scope="col" className="px-2 py-1 font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, column) => (
                <td key={column} className="px-2 py-1">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
