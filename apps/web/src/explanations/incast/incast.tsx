'use client';
import { formatBytes, formatNumber, formatTime, plural } from '@verbslab/labs';
import { useMemo } from 'react';
import { Empty } from '../../ui/states';
import { Explorable } from '../explorable';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { IncastFigure } from './figure';
import {
  choices,
  incastModel,
  loadOf,
  postedBy,
  waitedOf,
  waitOf,
  type IncastModel,
  type Load,
} from './model';

/** −1: the most clients, and behind all that they posted. */
const DEFAULTS = { clients: -1, ahead: -1 };

const HEAD = [
  'Clients',
  'Goodput, Gb/s',
  'Small request, mean',
  'p50',
  'p90',
  'Behind all posted, computed',
  'Dropped',
] as const;

const inTime = (us: number | null): string => (us === null ? '–' : formatTime(us * 1000));

/** A queue that many clients fill: the reader moves a small request in it. */
export default function Incast({ run: { record, results } }: { run: ExplainedRun }) {
  const [asked, change] = useControls(DEFAULTS);
  const model = useMemo(() => incastModel(record, results), [record, results]);
  if (!model) return <Empty>This run has no measured loads. Run the lab again.</Empty>;
  const load = loadOf(model, asked.clients < 0 ? Infinity : asked.clients);
  const posted = postedBy(model, load);
  const ahead = asked.ahead < 0 ? posted : Math.min(posted, Math.round(asked.ahead));
  const setClients = (clients: number): void => change({ clients, ahead: -1 });
  return (
    <Explorable
      id="incast"
      label="Incast"
      using={{ clients: load.clients, ahead }}
      answer={answerOf(model, load, ahead)}
      choice={{
        label: 'Clients at once',
        options: choices(model).map(({ clients }) => ({ name: String(clients), text: String(clients) })),
        value: String(load.clients),
        onChange: (name) => setClients(Number(name)),
      }}
      table={{ label: 'Waits by clients', head: HEAD, rows: rowsOf(model) }}
      note={
        <>
          Drag the small request, or move it with the arrow keys; press a client to change how many send.
          Hatched, computed:{' '}
          <span data-shows="incast-note">
            each client keeps {plural(model.window, 'message')} of {formatBytes(model.size)} posted, and the
            port serves them at the measured {formatNumber(load.total!)} Gb/s.
          </span>{' '}
          Dot and bar, measured: mean, p50 and p90 of the small request, less its mean without clients. The
          order in the queue and the size of the server’s buffer are not recorded.{' '}
          {load.overruns === null ? null : (
            <span data-shows="incast-dropped">
              Its kernel dropped {plural(load.overruns, 'datagram')} because the buffer was full.
            </span>
          )}
        </>
      }
    >
      <IncastFigure
        {...{ model, load, ahead }}
        onAhead={(to) => change({ ahead: to })}
        onClients={setClients}
      />
    </Explorable>
  );
}

function answerOf(model: IncastModel, load: Load, ahead: number): string {
  const wait = `Behind ${plural(ahead, 'message')} of ${plural(load.clients, 'client')}, a small request waits ${inTime(waitOf(model, load, ahead))} (computed).`;
  const waited = waitedOf(model, load);
  if (!waited) return wait;
  if (waited.mean <= 0) return `${wait} Measured: no longer than without clients.`;
  return `${wait} Measured: ${inTime(waited.mean)} longer than without clients, as if ${plural(Math.round(waited.ahead), 'message')} were ahead.`;
}

const rowsOf = (model: IncastModel): string[][] =>
  model.loads.map((load) => [
    String(load.clients),
    load.total === null ? '–' : formatNumber(load.total),
    ...[load.mean, load.p50, load.p90].map(inTime),
    load.total === null ? '–' : inTime(waitOf(model, load, postedBy(model, load))),
    load.overruns === null ? 'not counted' : String(load.overruns),
  ]);
