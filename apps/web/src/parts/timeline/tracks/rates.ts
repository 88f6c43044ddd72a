import type { Transport } from '@verbslab/protocol';
import {
  axisTicks,
  type ChartRow,
  CPU_KEYS,
  cpuRows,
  cpuTop,
  goodputRows,
  goodputTop,
  overlapping,
  seriesView,
} from '@verbslab/charts/data';
import { sig3 } from '../../../format/number';
import { cpuTitle } from '../../../model/cpu-title';
import type { RunModel } from '../../../model/run-model';
import type { Color, Line, LineTrack } from '../model/track';

const CPU_COLORS: Record<(typeof CPU_KEYS)[number], Color> = {
  app: 'cpu-app',
  nic: 'cpu-nic',
  kernel: 'cpu-kernel',
};
const CPU_NAMES: Record<(typeof CPU_KEYS)[number], string> = {
  app: 'application',
  nic: 'NIC work',
  kernel: 'kernel',
};

const lineOf = (rows: readonly ChartRow[], key: string, name: string, color: Color): Line => ({
  name,
  color,
  t: Float64Array.from(rows, ({ t }) => t * 1e9),
  y: Float64Array.from(rows, (row) => row[key] ?? NaN),
});

/** RDMA that went through shared memory alone has the color of that link. */
const colorOf = (model: RunModel, transport: Transport): Color =>
  transport === 'rdma' && model.linkOf('rdma') === 'shm' ? 'shm' : transport;

const topOf = (top: number): number => axisTicks([top]).at(-1)!;

/** Goodput and CPU of the measuring loops, as the charts of the page have them. */
export function rateTracks(model: RunModel, nameOf: (transport: Transport) => string): LineTrack[] {
  const view = seriesView(model);
  if (view.rows.length === 0) return [];
  const width = view.binSeconds * 1e9;
  // A bin's value holds over the bin, whose middle the row has.
  const shifted = (line: Line): Line => ({ ...line, t: line.t.map((t) => t + width / 2) });
  const goodput = goodputRows(view);
  const warmUps = view.startUps.map(({ from, to }) => ({ from: from * 1e9, to: to * 1e9 }));
  const tracks: LineTrack[] = [
    {
      id: 'goodput',
      group: '',
      title: 'Goodput',
      kind: 'lines',
      // A bin in which one transport ends and the next begins has the full rate of both.
      form: 'over',
      lines: view.transports.map((t) => shifted(lineOf(goodput, t, nameOf(t), colorOf(model, t)))),
      top: topOf(goodputTop(view)),
      unit: 'Gb/s',
      width,
      warmUps,
      height: 48,
    },
  ];
  // Transports that ran at the same time share the cores: their parts add up.
  const cpu = cpuRows(view, null);
  if (!overlapping(view))
    tracks.push({
      id: 'cpu',
      group: '',
      title: cpuTitle(model),
      kind: 'lines',
      form: 'stack',
      lines: CPU_KEYS.map((key) => shifted(lineOf(cpu, key, CPU_NAMES[key], CPU_COLORS[key]))),
      top: topOf(cpuTop(view)),
      unit: 'cores',
      width,
      warmUps,
      height: 48,
    });
  return tracks;
}

export const valueText = (value: number, unit: string): string =>
  Number.isNaN(value) ? 'not known' : `${sig3(value)} ${unit}`;
