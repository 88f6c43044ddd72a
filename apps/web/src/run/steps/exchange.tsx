import type { RunEventOf } from '@verbslab/protocol';
import { showValue } from '../value';

/** Values that one side passed on, outside of RDMA. */
export function Exchange({ x, title }: { x: RunEventOf<'exchange'>; title: (role: string) => string }) {
  return (
    <div className="border-t pt-1.5 text-13" data-from={x.from}>
      <p className="mb-1 text-ink-2">
        {title(x.from)} to {title(x.to).toLowerCase()}
      </p>
      <dl className="num grid grid-cols-[5rem_1fr] text-12 leading-5">
        {Object.entries(x.values).map(([k, v]) => (
          <div key={k} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-3">{k}</dt>
            <dd className="break-all" data-shows="exchanged" data-field={k}>
              {showValue(v, k)}
            </dd>
          </div>
        ))}
        {x.record ? (
          <div className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-3" data-shows="record-bytes">
              12 bytes
            </dt>
            <dd className="break-all" data-shows="exchanged" data-field="record">
              {x.record}
            </dd>
          </div>
        ) : null}
      </dl>
    </div>
  );
}
