import { plural, resultViews, type CurveView } from '@verbslab/labs';
import {
  noResults,
  type CurveSpec,
  type FabricSeries,
  type SampledEvent,
  type Simulation,
} from '@verbslab/protocol';

const EVENT_NAME: Readonly<Record<SampledEvent, string>> = {
  marked: 'marked',
  drops: 'dropped',
  pauses: 'PAUSE frames',
  cnps: 'CNPs',
  naks: 'NAKs',
  timeouts: 'ACK timeouts',
  retransmitted: 'retransmitted',
};

interface Lines {
  name: string;
  label: string;
  y: CurveSpec['y'];
  lines: { label: string; values: readonly number[] }[];
}

function linesOf(series: FabricSeries): Lines[] {
  const { received, receivedByOthers, queues, otherQueues, paused, events } = series;
  const classes = new Set(queues.map((queue) => queue.class));
  return [
    {
      name: 'queues',
      label: 'Queues of switches',
      y: { label: 'Held', unit: 'B' },
      lines: [
        ...queues.map((queue) => ({
          label: `S${queue.switch} port ${queue.port}${classes.size > 1 ? ` c${queue.class}` : ''}`,
          values: queue.bytes,
        })),
        ...(otherQueues
          ? [{ label: plural(otherQueues.queues, 'other queue'), values: otherQueues.bytes }]
          : []),
      ],
    },
    {
      name: 'received',
      label: 'Payload received, what came again included',
      y: { label: 'Received', unit: 'Gb/s' },
      lines: [
        ...received.map(({ host, gbps }) => ({ label: `host ${host}`, values: gbps })),
        ...(receivedByOthers
          ? [{ label: plural(receivedByOthers.hosts, 'other host'), values: receivedByOthers.gbps }]
          : []),
      ],
    },
    {
      name: 'paused',
      label: 'Paused transmitters',
      y: { label: 'Paused' },
      lines: [{ label: 'paused', values: paused }],
    },
    {
      name: 'events',
      label: 'Packets and frames in each interval',
      y: { label: 'Count' },
      lines: (Object.keys(EVENT_NAME) as SampledEvent[]).flatMap((name) => {
        const values = events[name];
        return values ? [{ label: EVENT_NAME[name], values }] : [];
      }),
    },
  ];
}

/**
 * Curves of a simulation over virtual time. Those that are 0 all the time are left out: the mechanisms say that nothing
 * happened.
 */
export function fabricCurves({ series }: Pick<Simulation, 'series'>): CurveView[] {
  if (!series) return [];
  const results = noResults();
  const curves = linesOf(series)
    .filter(({ lines }) => lines.some(({ values }) => values.some((value) => value > 0)))
    .map(({ name, label, y, lines }): CurveSpec => {
      results.curves[name] = lines.flatMap(({ label: of, values }) =>
        series.us.map((us, i) => ({ x: us, y: values[i] ?? null, series: of })),
      );
      return {
        ...{ name, label, y },
        x: { label: 'Virtual time', unit: 'µs' },
        series: lines.map(({ label: of }) => ({ name: of, label: of })),
      };
    });
  return resultViews(results, { results: { curves } }).curves;
}

/** Names of the simulations of a run, for a choice among them. */
export const simulationNames = (all: readonly Pick<Simulation, 'title'>[]): string[] =>
  all.map(({ title }, i) => (title === '' ? `Simulation ${i + 1}` : title));
