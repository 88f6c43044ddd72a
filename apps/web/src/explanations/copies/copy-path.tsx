import { Fragment } from 'react';

/** The places that the bytes of a message pass, with a copy by the CPU between each two. */
export function CopyPath({ way, path }: { way: string; path: { steps: string[] } | null }) {
  return (
    <section aria-label={`Path of the bytes: ${way}`} data-words>
      <h3 className="text-14 font-semibold">{way}</h3>
      {path === null ? (
        <p className="text-13 text-ink-2">The model does not know this device.</p>
      ) : path.steps.length === 0 ? (
        <p className="text-13 text-ink-2">No copy: the NIC reads and writes the memory itself (DMA).</p>
      ) : (
        <ol className="mt-2 flex flex-wrap items-center gap-y-2 text-13">
          {placesOf(path.steps).map((place, i) => (
            <Fragment key={i}>
              {i > 0 ? (
                <li className="px-1.5 text-12 text-ink-3">
                  <span aria-hidden>→ </span>copy {i}
                  <span aria-hidden> →</span>
                </li>
              ) : null}
              <li className="rounded-[3px] border border-line-strong bg-panel px-2 py-1">{place}</li>
            </Fragment>
          ))}
        </ol>
      )}
    </section>
  );
}

/** `['a → b', 'b → c']` as a, b, c. */
export function placesOf(steps: readonly string[]): string[] {
  const ends = steps.map((step) => step.split(' → '));
  return [ends[0]?.[0] ?? '', ...ends.map(([, to]) => to ?? '')];
}
