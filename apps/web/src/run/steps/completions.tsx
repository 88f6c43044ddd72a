import { lookupWcStatus, qpnText, type RunEventOf } from '@verbslab/protocol';
import { count, text, time } from '../../format/number';
import { Explained } from '../../ui/explained';

/** Completions of a step, and the sides that polled none. */
export function Completions(props: {
  list: readonly RunEventOf<'completion'>[];
  title: (role: string) => string;
  from: number;
  roles: readonly string[];
}) {
  const silent = props.roles.filter((r) => !props.list.some((c) => c.endpoint === r));
  return (
    <>
      {props.list.length > 0 ? (
        <div
          className="thin-scroll overflow-x-auto"
          tabIndex={0}
          role="group"
          aria-label="Completions of this step"
        >
          <table className="w-full max-w-[48rem] text-13" data-shows="step-completions">
            <thead className="text-12 text-ink-3">
              <tr>
                {['Side', 'Opcode', 'Status', 'wr_id', 'Bytes', 'QP', 'Time in step'].map((h, i) => (
                  <th
                    key={h}
                    scope="col"
                    className={i > 2 ? 'h-6 pl-3 text-right font-normal' : 'h-6 pr-3 text-left font-normal'}
                  >
                    {h}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y border-y">
              {props.list.map((c) => (
                <tr
                  key={c.seq}
                  data-completion={c.wc.opcode}
                  className={c.wc.status === 0 ? '' : 'text-error-ink'}
                >
                  <td className="h-7 pr-3">{props.title(c.endpoint ?? '')}</td>
                  <td className="num pr-3 text-12">{c.wc.status === 0 ? c.wc.opcode : '–'}</td>
                  <td className="num pr-3 text-12">
                    <Explained meaning={lookupWcStatus(c.wc.status).meaning}>{c.wc.statusName}</Explained>
                  </td>
                  <td className="num pl-3 text-right text-12">{c.wc.wrId}</td>
                  <td className="num pl-3 text-right text-12">
                    {/* A failed completion has no meaningful byte_len. */}
                    {c.wc.status === 0 ? count(c.wc.byteLen) : '–'}
                  </td>
                  <td className="num pl-3 text-right text-12">{qpnText(c.wc.qpn)}</td>
                  <td className="num pl-3 text-right text-12">{text(time(c.t - props.from))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {silent.length > 0 ? (
        <p className="mt-1 text-13 text-ink-3" data-shows="no-completion">
          No completion was polled at {silent.map((r) => `the ${props.title(r).toLowerCase()}`).join(' or ')}{' '}
          in this step.
        </p>
      ) : null}
    </>
  );
}
