import { HEAT_GRADIENT } from './heat-scale';

/** The scale of a heat map in small, the least at the left. */
export function HeatBar() {
  return <span aria-hidden className="inline-block h-2 w-16" style={{ background: HEAT_GRADIENT }} />;
}
