'use client';
import { plural } from '@verbslab/labs';
import { isFinal, type RunState, type Simulation } from '@verbslab/protocol';
import { useMemo, useState } from 'react';
import { useTopics } from '../../connection/use-session';
import { count, sig3 } from '../../format/number';
import { fabricCurves, simulationNames } from '@verbslab/report/simulations';
import type { Topic } from '../../model/run-model';
import { LateCurve } from '../../parts/results/late-curve';
import { ResultTable } from '../../parts/results/result-table';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Choice } from '../../ui/choice';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['simulations', 'state'];

/** What the fabric simulator said of each simulation of a run. */
export default function FabricPanel({ view, table }: PanelContentProps) {
  useTopics(view, TOPICS);
  const { simulations, record } = view.model;
  const [chosen, setChosen] = useState<string>();
  const last = simulations.length - 1;
  const at = Math.min(last, Number(chosen ?? last));
  const shown = simulations[at];
  if (!shown)
    return (
      <Waiting
        record={record}
        soon="Each simulation appears here when it has ended."
        never="The run ended before a simulation."
      />
    );
  return (
    <div className="space-y-4 px-3 pb-3" data-simulation={at}>
      {simulations.length > 1 ? (
        <Choice
          label="Simulation"
          value={String(at)}
          options={simulationNames(simulations).map((name, i) => [String(i), name] as const)}
          onChange={setChosen}
        />
      ) : null}
      <Simulated key={at} simulation={shown} state={record.state} table={table} />
    </div>
  );
}

/** How far the simulation came. */
function endText({ result, series, running }: Simulation, state: RunState): string {
  if (result) return `All times are virtual: ${sig3(result.us)} µs were simulated.`;
  if (running && !isFinal(state))
    return series
      ? `Simulated so far: ${sig3(series.us.at(-1) ?? 0)} µs of virtual time.`
      : 'The simulation is running.';
  const how = running || state === 'failed' || state === 'interrupted' ? 'did not end' : 'was cancelled';
  return `The simulation ${how}, so it has no result.`;
}

function Simulated(props: { simulation: Simulation; state: RunState; table: boolean }) {
  const { simulation, state, table } = props;
  const curves = useMemo(() => fabricCurves(simulation), [simulation]);
  const { fabric, series, result, mechanisms, running } = simulation;
  return (
    <>
      <p className="text-13 text-ink-2" data-shows="fabric-of">
        {fabric ? `${plural(fabric.hosts, 'host')}, ${plural(fabric.switches, 'switch', 'switches')}. ` : ''}
        {endText(simulation, state)}
      </p>
      {series === null ? (
        <p className="text-13 text-ink-3" data-words>
          {running && !isFinal(state)
            ? 'No samples yet.'
            : 'Nothing over time: the scenario takes no samples.'}
        </p>
      ) : (
        <p className="text-12 text-ink-3" data-shows="fabric-samples">
          {count(series.samples)} samples
          {series.samples > series.us.length
            ? `, thinned to ${count(series.us.length)} points: rates are means, depths the highest, counts sums`
            : ''}
        </p>
      )}
      <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
        {curves.map((curve) => (
          <section key={curve.name} aria-label={curve.label} className="min-w-0">
            <h3 className="text-13 font-medium" data-words>
              {curve.label}
            </h3>
            <div className={table ? 'max-h-64 overflow-auto' : 'chart h-56'}>
              {table ? (
                <ResultTable table={curve.table} shows="fabric-series" />
              ) : (
                <LateCurve curve={curve} />
              )}
            </div>
          </section>
        ))}
      </div>
      {result ? <FlowTimes simulation={simulation} /> : null}
      {mechanisms.length > 0 ? <Mechanisms list={mechanisms} /> : null}
      {result ? <Notes result={result} /> : null}
    </>
  );
}

const HEAD = 'h-7 pr-4 text-right font-normal first:text-left';
const CELL = 'h-7 pr-4 text-right first:text-left';

/** Goodput, and flow completion times where flows finished. */
function FlowTimes({ simulation: { result, slowdown } }: { simulation: Simulation }) {
  if (!result) return null;
  const { flow_time_us: times, flows_finished, flows_failed, flows_unfinished } = result;
  const rows: [string, string][] = [
    ['Goodput, all hosts, Gb/s', sig3(result.goodput_gbps)],
    ['Flows finished', count(flows_finished)],
    ['Flows failed', count(flows_failed)],
    ['Flows not finished', count(flows_unfinished)],
    ...(times
      ? ([
          ['Time of a flow, p50, µs', sig3(times.p50)],
          ['Time of a flow, p99, µs', sig3(times.p99)],
        ] as [string, string][])
      : []),
    ...(slowdown
      ? ([
          ['Slowdown, p50', sig3(slowdown.p50)],
          ['Slowdown, p99', sig3(slowdown.p99)],
        ] as [string, string][])
      : []),
  ];
  return (
    <section aria-label="Flows">
      <h3 className="text-13 font-medium" data-words>
        Flows
      </h3>
      <dl className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-x-6 text-13">
        {rows.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-2 border-b py-1">
            <dt className="text-ink-3" data-words>
              {name}
            </dt>
            <dd className="num" data-shows="fabric-figure" data-figure={name}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {slowdown ? (
        <p className="mt-1 text-12 text-ink-3" data-words>
          Slowdown: time of a flow over that of the same flow alone.
        </p>
      ) : null}
    </section>
  );
}

/** What ended the simulation, and rules of its scenario that had no effect. */
function Notes({ result }: { result: NonNullable<Simulation['result']> }) {
  const broken = result.laws?.broken ?? [];
  const notes = [...broken, ...(result.error === undefined ? [] : [result.error]), ...(result.notes ?? [])];
  if (notes.length === 0) return null;
  return (
    <section aria-label="Notes">
      <h3 className="text-13 font-medium" data-words>
        {broken.length > 0 ? 'Broken laws: the figures are void' : 'Notes'}
      </h3>
      <ul className="mt-1 list-disc pl-5 text-13 text-ink-2">
        {notes.map((note) => (
          <li key={note} data-shows="fabric-note">
            {note}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What acted, and how far the others were from it. */
function Mechanisms({ list }: { list: Simulation['mechanisms'] }) {
  const order = [...list].sort((a, b) => Number(b.fired > 0) - Number(a.fired > 0));
  return (
    <section aria-label="Mechanisms" className="overflow-x-auto">
      <h3 className="text-13 font-medium" data-words>
        What acted, and what did not
      </h3>
      <table className="w-full text-13">
        <caption className="sr-only">Mechanisms of the fabric</caption>
        <thead className="text-12 text-ink-3">
          <tr>
            <th scope="col" className={HEAD}>
              Mechanism
            </th>
            <th scope="col" className={HEAD}>
              Fired
            </th>
            <th scope="col" className="h-7 text-left font-normal">
              How near it came
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {order.map(({ name, fired, says }) => (
            <tr key={name} className={fired > 0 ? '' : 'text-ink-3'}>
              <th scope="row" className={`${CELL} font-normal whitespace-nowrap`}>
                {name}
              </th>
              <td className={`${CELL} num`} data-shows="fabric-fired" data-mechanism={name}>
                {fired > 0 ? count(fired) : 'never'}
              </td>
              <td className="py-1" data-shows="fabric-says" data-mechanism={name}>
                {says}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
