'use client';
import { formatBytes, formatNumber, formatTime, plural } from '@verbslab/labs';
import { useMemo } from 'react';
import { Empty } from '../../ui/states';
import { Explorable } from '../explorable';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { WindowFigure } from './figure';
import { goodputAt, stateAt, windowModel, type Path, type WindowModel } from './model';

/** −1: the longest delay. */
const DEFAULTS = { window: 8, delay: -1 };

const HEAD = ['In flight', 'Measured, Gb/s', 'Slowest repetition', 'Computed, Gb/s'] as const;

/** Goodput by window: the reader moves the window in the figure. */
export default function Window({ run: { record, results } }: { run: ExplainedRun }) {
  const [asked, change] = useControls(DEFAULTS);
  const model = useMemo(() => windowModel(record, results), [record, results]);
  if (!model) return <Empty>This run has no measured paths. Run the lab again.</Empty>;
  const path = model.paths.find(({ delay }) => delay === asked.delay) ?? model.paths.at(-1)!;
  const window = Math.min(path.largest, Math.max(1, Math.round(asked.window)));
  return (
    <Explorable
      id="window"
      label="Window and delay"
      using={{ window, delay: path.delay }}
      answer={answerOf(model, path, window)}
      choice={{
        label: 'Added delay',
        options: model.paths.map(({ delay }) => ({
          name: String(delay),
          text: delay === 0 ? 'None' : `${delay} µs`,
        })),
        value: String(path.delay),
        onChange: (name) => change({ delay: Number(name) }),
      }}
      table={{ label: 'Goodput by window', head: HEAD, rows: rowsOf(model, path) }}
      note={
        <>
          Drag the window, or move it with the arrow keys. Dashed line, computed: min(link, in flight × size /
          round trip). Dots, measured: the fastest repetition, down to the slowest.{' '}
          <span data-shows="window-note">
            Messages of {formatBytes(model.size)}; the link is the highest goodput without added delay,{' '}
            {formatNumber(model.link)} Gb/s.
          </span>{' '}
          The path is drawn as computed.
        </>
      }
    >
      <WindowFigure {...{ model, path, window }} onWindow={(to) => change({ window: to })} />
    </Explorable>
  );
}

function answerOf(model: WindowModel, path: Path, window: number): string {
  const { gbps, limit, measured, latency } = stateAt(model, path, window);
  const most = `${plural(window, 'message')} in flight over ${formatTime(path.rtt)} carry at most ${formatNumber(gbps)} Gb/s (computed)`;
  const why =
    limit === 'window'
      ? `: the window is the limit. The path holds ${formatNumber(path.needed)}.`
      : `: the link is the limit. More in flight only waits: ${formatTime(latency)} each.`;
  return `${most}${why}${measured ? ` Measured: ${formatNumber(measured.gbps)} Gb/s.` : ''}`;
}

const rowsOf = (model: WindowModel, path: Path): string[][] =>
  path.points.map(({ window, gbps, min }) => [
    String(window),
    formatNumber(gbps),
    formatNumber(min),
    formatNumber(goodputAt(model, path, window)),
  ]);
