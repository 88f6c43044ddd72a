import { formatCount, formatTime } from '@verbslab/labs';
import { PERCENTILE_NAME, samplesNeeded, type RunRecord } from '@verbslab/protocol';
import {
  axisTicks,
  countedOf,
  logTicks,
  percentileMarks,
  stepPath,
  type LatencyCurve,
  type LatencyView,
} from '@verbslab/charts/data';
import { timeText } from '../../content/format.js';
import { colorIn, nameIn } from '../../content/names.js';
import { el, type Child } from '../markup.js';
import { plot, type Area, type Axis } from './plot.js';

const HEIGHT = 210;
/** Between the names of marks that stand close together, one below the other. */
const NAME_HEIGHT = 14;
/** Room that a name needs to the right of its line. */
const NAME_WIDTH = 48;

function marks(curve: LatencyCurve, color: string, { x, left, top, width, height }: Area): Child {
  return percentileMarks(curve).map(({ which, ns, dash }, i) =>
    ns === null
      ? null
      : [
          el('path', {
            d: `M${x(ns).toFixed(1)} ${top}v${height}`,
            class: `thin ${color}`,
            'stroke-dasharray': dash === '' ? undefined : dash,
          }),
          el(
            'text',
            {
              y: top + 12 + i * NAME_HEIGHT,
              class: 'mark',
              ...(x(ns) + NAME_WIDTH < left + width
                ? { x: (x(ns) + 4).toFixed(1) }
                : { x: (x(ns) - 4).toFixed(1), 'text-anchor': 'end' }),
            },
            PERCENTILE_NAME[which],
          ),
        ],
  );
}

/** `RDMA/UDP requests: n = 1,129, p50 2.47 ms, …`: a percentile that is withheld says what it needs. */
function headOf(curve: LatencyCurve, name: string): string {
  const percentiles = percentileMarks(curve).map(({ which, ns }) =>
    ns === null
      ? `${PERCENTILE_NAME[which]} needs n ≥ ${formatCount(samplesNeeded(which))}`
      : `${PERCENTILE_NAME[which]} ${timeText(ns)}`,
  );
  const counted = countedOf(curve.transport, name);
  return `${counted}: n = ${formatCount(curve.total)}, ${percentiles.join(', ')}, max ${timeText(curve.max)}`;
}

/** One histogram a transport, on the same logarithmic axis, p50, p99 and p99.9 marked. */
export function latencyChart(run: RunRecord, { edges, curves }: LatencyView): Child {
  const domain = [edges[0]!, edges.at(-1)!] as const;
  // One scale for all: their heights are compared.
  const ticks = axisTicks(
    curves.flatMap(({ share }) => share.map((each) => each * 100)),
    3,
  );
  const x: Axis = {
    domain,
    ticks: logTicks(domain),
    scale: 'log',
    title: 'latency, log axis',
    format: (ns) => formatTime(Number(ns.toPrecision(3))),
  };
  return curves.map((curve) => {
    const name = nameIn(run, curve.transport);
    const color = colorIn(run, curve.transport);
    const counted = countedOf(curve.transport, name);
    const y: Axis = { domain: [0, ticks.at(-1)!], ticks, title: `% of ${counted}` };
    const heights = curve.share.map((share) => share * 100);
    return [
      el('p', { class: 'key' }, headOf(curve, name)),
      plot(
        `Latency of ${name}`,
        { x, y },
        (area) => [
          el('path', { d: stepPath(edges, heights, area.x, area.y), class: `wash ${color}` }),
          marks(curve, color, area),
        ],
        HEIGHT,
      ),
    ];
  });
}
