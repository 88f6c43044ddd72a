import type { RunRecord, Transport } from '@verbslab/protocol';
import {
  axisTicks,
  COST_NAME,
  CPU_KEYS,
  cpuRows,
  cpuTop,
  goodputRows,
  goodputTop,
  holeCores,
  layerPath,
  linePath,
  overlapping,
  stretches,
  timeTicks,
  TRANSPORT_DASH,
  type Hole,
  type SeriesView,
} from '@verbslab/charts/data';
import { cpuText } from '../../content/chart-tables.js';
import { colorIn, nameIn } from '../../content/names.js';
import { el, type Child } from '../markup.js';
import { CHARACTER, key, plot, type Area, type Axis, type KeyItem } from './plot.js';

const timeAxis = ({ domain }: SeriesView): Axis => ({
  domain,
  ticks: timeTicks(domain),
  title: 'run time, s',
});

/** Warm-up, which is in no figure. */
const startUps = ({ startUps: list }: SeriesView, { x, top, height }: Area): Child =>
  list.map(({ from, to }) =>
    el('rect', {
      x: x(from).toFixed(1),
      y: top,
      width: Math.max(0, x(to) - x(from)).toFixed(1),
      height,
      class: 'start-up',
    }),
  );

/** Samples that took much longer than the others: a bar as long as the sample, its mean as a line. */
const holes = (
  run: RunRecord,
  list: readonly Hole[],
  value: (hole: Hole) => number,
  { x, y, top, height }: Area,
): Child =>
  list.map((hole) => [
    el('rect', {
      x: x(hole.from).toFixed(1),
      y: top,
      width: Math.max(1, x(hole.to) - x(hole.from)).toFixed(1),
      height,
      class: 'hole',
    }),
    Number.isFinite(value(hole))
      ? el('path', {
          d: `M${x(hole.from).toFixed(1)} ${y(value(hole)).toFixed(1)}H${x(hole.to).toFixed(1)}`,
          class: `line ${colorIn(run, hole.transport)}`,
        })
      : null,
  ]);

/** Each transport above the stretches in which it ran; upright in its widest one where none has room. */
const stretchNames = (run: RunRecord, view: SeriesView, { x, top }: Area): Child =>
  view.transports.flatMap((transport) => {
    const name = nameIn(run, transport);
    const own = stretches(view)
      .filter((one) => one.transport === transport)
      .map(({ from, to }) => ({ middle: (x(from) + x(to)) / 2, width: x(to) - x(from) }));
    const roomy = own.filter(({ width }) => width >= CHARACTER * name.length);
    if (roomy.length > 0)
      return roomy.map(({ middle }) =>
        el('text', { x: middle.toFixed(1), y: top - 3, 'text-anchor': 'middle' }, name),
      );
    const widest = own.toSorted((a, b) => b.width - a.width)[0];
    if (!widest) return [];
    const at = `${(widest.middle + 4).toFixed(1)} ${top + 4}`;
    return [el('text', { transform: `translate(${at}) rotate(-90)`, 'text-anchor': 'end' }, name)];
  });

/** What else the charts over time show, as sentences. */
export const overTimeText = (view: SeriesView): string =>
  [
    ...(view.startUps.length > 0 ? ['Shaded: warm-up, which is in no figure.'] : []),
    ...(view.holes.length > 0 ? ['Dashed outline: one sample that took much longer than the others.'] : []),
  ].join(' ');

const keyOf = (run: RunRecord, { transports }: SeriesView): KeyItem[] =>
  transports.map((transport) => ({
    name: nameIn(run, transport),
    color: colorIn(run, transport),
    dash: TRANSPORT_DASH[colorIn(run, transport)],
  }));

/** Goodput of each transport over run time, from zero. */
export function goodputChart(run: RunRecord, view: SeriesView): Child {
  const ticks = axisTicks([goodputTop(view)]);
  const rows = goodputRows(view);
  const y: Axis = { domain: [0, ticks.at(-1)!], ticks, title: 'Goodput, Gb/s' };
  return [
    key(keyOf(run, view)),
    plot('Goodput over run time', { x: timeAxis(view), y }, (area) => [
      startUps(view, area),
      holes(run, view.holes, ({ sample }) => sample.gbps, area),
      view.transports.map((transport) =>
        el('path', {
          d: linePath(rows, transport, area.x, area.y),
          class: `line ${colorIn(run, transport)}`,
          'stroke-dasharray': TRANSPORT_DASH[colorIn(run, transport)],
        }),
      ),
    ]),
  ];
}

/** CPU of both ends in cores, stacked. Transports that ran at once get a chart each, on one scale. */
export function cpuChart(run: RunRecord, view: SeriesView): Child {
  const charts: (Transport | null)[] = overlapping(view) ? view.transports : [null];
  const ticks = axisTicks([cpuTop(view)], charts.length > 1 ? 2 : 4, 1);
  return [
    key(CPU_KEYS.map((part) => ({ name: COST_NAME[part], color: `cpu-${part}`, fill: true }))),
    charts.map((transport) => {
      const named = transport === null ? '' : `, ${nameIn(run, transport)}`;
      const y: Axis = { domain: [0, ticks.at(-1)!], ticks, title: `${cpuText(run)}${named}` };
      // One stack a transport: a line from one to the other would look like a measurement.
      const stacks = (transport === null ? view.transports : [transport]).map((one) => cpuRows(view, one));
      const own = view.holes.filter((hole) => transport === null || hole.transport === transport);
      return plot(
        `CPU over run time${named}`,
        { x: timeAxis(view), y },
        (area) => [
          startUps(view, area),
          holes(run, own, holeCores, area),
          stacks.map((rows) =>
            CPU_KEYS.map((part, i) =>
              el('path', {
                d: layerPath(rows, CPU_KEYS.slice(0, i), part, area.x, area.y),
                class: `fill cpu-${part}`,
              }),
            ),
          ),
        ],
        undefined,
        (area) => (transport === null && view.transports.length > 1 ? stretchNames(run, view, area) : null),
      );
    }),
  ];
}
