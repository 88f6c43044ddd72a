import type { RunModel } from './run-model';
import type { SeriesView } from './series-view';

const drawn = new WeakMap<RunModel, Map<string, SeriesView>>();

/** The latest series of a chart that fits its axes. The first one is drawn as it is: there is nothing older. */
export function fitting(
  model: RunModel,
  chart: string,
  latest: SeriesView,
  fits: (series: SeriesView) => boolean,
): SeriesView {
  let charts = drawn.get(model);
  if (!charts) drawn.set(model, (charts = new Map<string, SeriesView>()));
  if (fits(latest)) charts.set(chart, latest);
  return charts.get(chart) ?? latest;
}
