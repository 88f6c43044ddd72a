import { count, text, time } from '../../format/number';
import { Term } from '../../ui/term';
import type { Machine, MachinePart } from '../../model/machine/machine';
import { fillText, headline, nameOf, unknownTexts } from '../../model/machine/names';

/** Most rows that are drawn; a program may have thousands of objects. */
const ROWS = 500;

const head = 'h-7 px-2 text-left font-normal first:pl-0 last:pr-0';
const cell = 'h-7 px-2 first:pl-0 last:pr-0';

/** Table with the content of the picture: every object, its parent, its state, and the fill level of its queues. */
export function MachineTable(props: { machine: Machine; titleOf: (endpoint: string) => string }) {
  const { machine, titleOf } = props;
  const parts = machine.hosts.flatMap(({ processes }) => processes.flatMap((one) => [...one.parts]));
  const byId = new Map(parts.map((one) => [one.id, one]));
  return (
    <div
      className="thin-scroll min-h-0 overflow-auto"
      tabIndex={0}
      role="group"
      aria-label="Objects of the machine"
      data-at={machine.at}
    >
      <table className="w-full text-13" data-machine-table>
        <thead className="sticky top-0 bg-panel text-12 text-ink-3">
          <tr>
            <th scope="col" className={head}>
              Process
            </th>
            <th scope="col" className={head}>
              Object
            </th>
            <th scope="col" className={head}>
              In
            </th>
            <th scope="col" className={head}>
              State
            </th>
            <th scope="col" className={head}>
              Queues: held / capacity
            </th>
          </tr>
        </thead>
        <tbody className="divide-y border-y">
          {parts.slice(0, ROWS).map((part) => (
            <TableRow
              key={part.id}
              part={part}
              process={titleOf(part.endpoint)}
              parent={byId.get(part.parent ?? '')}
            />
          ))}
        </tbody>
      </table>
      {parts.length > ROWS ? (
        <p className="mt-1 text-ink-3" data-words>
          The first {count(ROWS)} of {count(parts.length)} objects are listed.
        </p>
      ) : null}
      <p className="mt-1 text-12 text-ink-3" data-words>
        ≈: a mean over a sample. ≤: at most. {unknownTexts(parts.flatMap(({ rings }) => rings)).join(' ')}{' '}
        <Term id="sq">SQ</Term>, <Term id="rq">RQ</Term>.
      </p>
    </div>
  );
}

function TableRow(props: { part: MachinePart; process: string; parent: MachinePart | undefined }) {
  const { part, process, parent } = props;
  const note = headline(part);
  return (
    <tr
      data-node={part.id}
      data-object={nameOf(part)}
      data-kind={part.kind}
      data-endpoint={part.endpoint}
      className={part.gone ? 'text-ink-3' : undefined}
    >
      <td className={cell} data-words>
        {process}
      </td>
      <td className={`num text-12 ${cell}`}>
        <span data-shows="machine-object">{nameOf(part)}</span>
        {note ? (
          <span className="text-ink-3" data-shows="machine-note">
            {` ${note}`}
          </span>
        ) : null}
      </td>
      <td className={`num text-12 ${cell}`} data-words>
        {parent ? nameOf(parent) : '–'}
      </td>
      <td className={`num text-12 ${cell}`}>
        {part.gone ? (
          <span data-words>destroyed at {text(time(part.goneAt))}</span>
        ) : part.state ? (
          <span data-shows="machine-state">{part.state}</span>
        ) : (
          '–'
        )}
      </td>
      <td className={`num text-12 ${cell}`}>
        {part.rings.length === 0 ? '–' : null}
        {part.rings.map((ring, i) => (
          <span
            key={ring.queue}
            data-queue={ring.queue}
            data-fill={ring.fill.is}
            className="whitespace-nowrap"
          >
            {i > 0 ? ', ' : ''}
            {ring.queue} <span data-shows="machine-fill">{fillText(ring)}</span>
          </span>
        ))}
      </td>
    </tr>
  );
}
