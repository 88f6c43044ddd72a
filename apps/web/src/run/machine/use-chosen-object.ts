import { useState } from 'react';
import { bookOf } from '../../model/machine/book';
import type { Machine } from '../../model/machine/machine';
import type { RunModel } from '../../model/run-model';
import { sameSelection, type Selection } from '../../model/selection';
import { useSelection } from '../../parts/run/use-selection';

/** Object that the page's selection refers to; undefined if it is not in the machine. */
function objectOf(run: RunModel, selection: Selection | null): string | undefined {
  if (selection?.kind === 'qp')
    return bookOf(run).objects.findLast(
      ({ kind, endpoint, number }) =>
        kind === 'QP' && endpoint === selection.endpoint && number === selection.qpn,
    )?.id;
  if (selection?.kind === 'wr' || selection?.kind === 'event') return bookOf(run).ownerOf(selection)?.id;
  return undefined;
}

/**
 * The inspected object, and the object that the page's selection refers to. The first follows the second while an
 * object is inspected. Choosing a QP selects it on the page.
 */
export function useChosenObject(
  run: RunModel,
  machine: Machine,
): { selected: string | null; marked: string | null; choose: (id: string | null) => void } {
  const { selection, select } = useSelection();
  const [selected, setSelected] = useState<string | null>(null);
  const [followed, setFollowed] = useState(selection);
  if (!sameSelection(followed, selection)) {
    setFollowed(selection);
    const found = objectOf(run, selection);
    if (found !== undefined && selected !== null) setSelected(found);
  }
  function choose(id: string | null) {
    setSelected(id);
    const part = machine.hosts
      .flatMap(({ processes }) => processes.flatMap(({ parts }) => [...parts]))
      .find((one) => one.id === id);
    if (part?.kind === 'QP' && part.number !== null)
      select({ kind: 'qp', endpoint: part.endpoint, qpn: part.number });
    // The page's selection no longer belongs to the inspected object.
    else if (objectOf(run, selection) !== undefined) select(null);
  }
  return { selected, marked: selected ?? objectOf(run, selection) ?? null, choose };
}
