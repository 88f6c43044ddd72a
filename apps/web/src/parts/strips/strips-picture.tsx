import { count } from '../../format/number';
import type { QpStrips } from '../../model/strips/qp-strips';
import type { WireRate } from '../../model/strips/wire-rates';
import { EndpointStrips } from './endpoint-strips';

/** Most endpoints that are drawn. */
const MOST = 6;

export interface StripsPictureProps {
  shown: readonly QpStrips[];
  /** Time of the moment, ns; infinite for the end of the run. */
  at: number;
  /** By endpoint. */
  wires: ReadonlyMap<string, WireRate>;
  /** Pixels; else that of its place. */
  width?: number;
}

/** All endpoints with many QPs at one moment. */
export function StripsPicture({ shown, at, wires, width }: StripsPictureProps) {
  const drawn = shown.slice(0, MOST);
  const fastest = Math.max(0, ...drawn.map(({ endpoint }) => wires.get(endpoint)?.gbps ?? 0));
  return (
    <div className="@container" data-at={at}>
      <div className="grid gap-3 @2xl:grid-cols-2">
        {drawn.map((one) => (
          <EndpointStrips
            key={one.endpoint}
            shown={one}
            wire={wires.get(one.endpoint) ?? null}
            fastest={fastest}
            {...(width === undefined ? {} : { width })}
          />
        ))}
      </div>
      {shown.length > MOST ? (
        <p className="mt-2 text-12 text-ink-3" data-words>
          {count(shown.length - MOST)} more endpoints are left out.
        </p>
      ) : null}
    </div>
  );
}
