/** The figures of one run with the range of their repetitions, so that runs can be compared without knowing their lab. */
import {
  noResults,
  programGbps,
  runFigures,
  TRANSPORT_NAME,
  transportFigure,
  transportFigureSpec,
  transportOfLinks,
  transportSpread,
  type LabDescription,
  type LabResults,
  type RunResult,
} from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import type { Stat } from '../base/sweep.js';
import { quantityText, resultViews } from '../form/result-views.js';

export interface ComparedFigure {
  /** `rdma.goodput`, or the name under which the lab declares it. */
  name: string;
  label: string;
  unit: string;
  /** Value with its unit, without the range. */
  text: string;
  /** `12–15`; null where there were no repetitions. */
  range: string | null;
  /** Null: it could not be measured. */
  value: number | null;
  /** Null where no range of repetitions is known. */
  stat: Stat | null;
}

/** Parts of a result that hold figures. */
type Figures = Pick<RunResult, 'transports'> & Partial<Pick<RunResult, 'results' | 'program' | 'links'>>;

/** Figures of a program: RDMA over the links that it used. */
function programFigures({ program, links }: Figures): Record<string, number | null> {
  const work = program?.work;
  if (!work) return {};
  const transport = transportOfLinks(links);
  return {
    [transportFigure(transport, 'goodput')]: programGbps(work),
    [transportFigure(transport, 'p50')]: work.latencyUs?.p50 ?? null,
    [transportFigure(transport, 'p99')]: work.latencyUs?.p99 ?? null,
  };
}

/** The figures of each transport, then those that the lab declares, by name. */
export function comparedFigures(
  result: Figures | null,
  lab: Pick<LabDescription, 'results' | 'predictions'> | undefined,
  results: LabResults = result?.results ?? noResults(),
): Map<string, ComparedFigure> {
  const figures = new Map<string, ComparedFigure>();
  const measured = result ? { ...programFigures(result), ...runFigures(result as RunResult) } : {};
  for (const [name, value] of Object.entries(measured)) {
    const spec = transportFigureSpec(name);
    if (!spec || value === null) continue;
    const spread = transportSpread(result?.transports[spec.transport], name);
    figures.set(name, {
      name,
      label: `${TRANSPORT_NAME[spec.transport]} ${spec.label}`,
      unit: spec.unit,
      text: quantityText(value, spec),
      range: spread ? `${formatNumber(spread.min)}–${formatNumber(spread.max)}` : null,
      value,
      stat: spread && { value, ...spread },
    });
  }
  for (const { name, label, raw, shown, spread, n } of resultViews(results, lab).figures) {
    const { min, max } = results.figures[name] ?? {};
    const ranged = raw !== null && min !== undefined && max !== undefined;
    figures.set(name, {
      name,
      label,
      unit: lab?.results?.figures?.find((one) => one.name === name)?.unit ?? '',
      text: shown.unit === '' ? shown.value : `${shown.value}\u00a0${shown.unit}`,
      range: spread,
      value: raw,
      stat: ranged ? { value: raw, min, max, n: n ?? 2 } : null,
    });
  }
  return figures;
}
