/** Stretches of a run with a name: its timeline, its packets and its errors show in which they lie. */
import type { LabContext } from '@verbslab/protocol';

/** Does the work as one phase, which also ends if the work fails. `id` is unique in the run. */
export async function inPhase<T>(
  ctx: Pick<LabContext<unknown>, 'emit'>,
  id: string,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const edge = { kind: 'phase', id, omit: false, text } as const;
  ctx.emit({ ...edge, phase: 'begin' });
  try {
    return await work();
  } finally {
    ctx.emit({ ...edge, phase: 'end' });
  }
}
