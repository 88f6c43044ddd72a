'use client';
import type { LabDescription, LabResults, Row } from '@verbslab/protocol';
import { useMemo, type ReactNode } from 'react';
import type { RunView } from '../../connection/run-view';
import { roleTitle, stepLog, type StepLog } from '../../model/step-log';
import { Button, PRESSED } from '../../ui/button';
import { cn } from '../../ui/cn';
import type { LabParts } from '../view/parts';
import { EVIDENCE, type EvidenceId } from './game';
import { memoryRows } from './memory-rows';

interface EvidenceProps {
  view: RunView;
  lab: LabDescription;
  results: LabResults;
  /** Symptoms of the program with the mistake. */
  row: Row;
  parts: LabParts;
  opened: ReadonlySet<EvidenceId>;
  chosen: EvidenceId | null;
  /** True when looking costs nothing any more. */
  free: boolean;
  onOpen: (id: EvidenceId) => void;
}

/** The pieces of evidence, and the content of the chosen one. */
export function Evidence(props: EvidenceProps) {
  const { opened, chosen, free, onOpen } = props;
  return (
    <section aria-labelledby="evidence" className="mt-4">
      <div className="flex flex-wrap items-baseline gap-x-3" data-words>
        <h2 id="evidence" className="font-semibold">
          Evidence
        </h2>
        <p className="text-13 text-ink-3">
          {free ? 'All of it is open now.' : `Each piece costs a point. You opened ${opened.size}.`}
        </p>
      </div>
      <div
        role="group"
        aria-label="Evidence"
        className="mt-2 grid grid-cols-2 gap-2 sm:grid-cols-5"
        data-words
      >
        {EVIDENCE.map(({ id, title, text }) => (
          <Button
            key={id}
            aria-pressed={chosen === id}
            onClick={() => onOpen(id)}
            className={cn(
              'flex-col items-start gap-0 py-1.5 text-left',
              PRESSED,
              !free && !opened.has(id) && 'border-dashed',
            )}
          >
            <span>{title}</span>
            <span className="text-12 font-normal text-ink-3">{free || opened.has(id) ? 'open' : text}</span>
          </Button>
        ))}
      </div>
      {chosen === null ? null : (
        <div
          className="thin-scroll mt-3 max-h-[24rem] overflow-auto border-t pt-3"
          tabIndex={0}
          role="group"
          aria-label="Content of the evidence"
        >
          <Content {...props} id={chosen} />
        </div>
      )}
    </section>
  );
}

function Content({ id, view, lab, results, row, parts }: EvidenceProps & { id: EvidenceId }) {
  const step = useMemo(
    () => stepLog(view.model, lab).find((one) => one.id === 'symptoms') ?? null,
    [view, lab],
  );
  switch (id) {
    case 'calls':
      return step ? <parts.Calls lab={lab} step={step} /> : <Nothing>No call is recorded.</Nothing>;
    case 'packets':
      return step && step.packets.length > 0 ? (
        <parts.Packets view={view} lab={lab} step={step} />
      ) : (
        <Nothing>No packet is recorded.</Nothing>
      );
    case 'memory':
      return <Memory view={view} lab={lab} step={step} />;
    case 'counters':
      return <Counters rows={results.tables.counters ?? []} />;
    case 'events':
      return <Events row={row} step={step} />;
  }
}

const Nothing = ({ children }: { children: ReactNode }) => <p className="text-ink-3">{children}</p>;

/** Regions with their rights, and the memory that the requests name. */
function Memory({ view, lab, step }: { view: RunView; lab: LabDescription; step: StepLog | null }) {
  const rows = step ? memoryRows(view.model, step.begin, step.end) : [];
  if (rows.length === 0) return <Nothing>No region and no request is recorded.</Nothing>;
  return (
    <table className="w-full text-13" data-shows="clinic-memory">
      <thead>
        <tr className="text-left text-12 text-ink-3">
          {['Side', 'What', 'Key', 'From', 'Bytes', 'Rights'].map((name) => (
            <th key={name} scope="col" className="py-1 pr-3 font-normal">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="align-top">
        {rows.map(({ id, endpoint, what, key, address, bytes, rights }) => (
          <tr key={id} className="border-t">
            <td className="py-1 pr-3">{roleTitle(lab, endpoint)}</td>
            <td className="pr-3">{what}</td>
            <td className="num pr-3">{key ?? 'not recorded'}</td>
            <td className="num pr-3">{address ?? 'not recorded'}</td>
            <td className="num pr-3">{bytes}</td>
            <td className="pr-3">{rights}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Counters({ rows }: { rows: readonly Row[] }) {
  const moved = rows.filter(({ broken }) => typeof broken === 'number' && broken > 0);
  if (moved.length === 0) return <Nothing>No counter moved, or the devices have none.</Nothing>;
  return (
    <table className="text-13" data-shows="clinic-counters">
      <thead>
        <tr className="text-left text-12 text-ink-3">
          {['Side', 'Counter', 'Grew by'].map((name) => (
            <th key={name} scope="col" className="py-1 pr-6 font-normal last:text-right">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {moved.map(({ side, counter, broken }) => (
          <tr key={`${String(side)} ${String(counter)}`} className="border-t">
            <td className="py-1 pr-6">{side}</td>
            <td className="num pr-6">{counter}</td>
            <td className="num pr-6 text-right">{broken}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Asynchronous events, the states of the QPs at the end, and what else the program saw. */
function Events({ row, step }: { row: Row; step: StepLog | null }) {
  const list: [name: string, value: string][] = [
    ['Event at the client', String(row.clientEvent ?? 'not recorded')],
    ['Event at the server', String(row.serverEvent ?? 'not recorded')],
    ['NAK that the client received', String(row.nak ?? 'not recorded')],
    ...Object.entries(step?.states ?? {}).flatMap(([end, state]): [string, string][] =>
      state === null ? [] : [[`QP of the ${end} afterward`, state]],
    ),
    ['Also seen', String(row.seen ?? '')],
  ];
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-13" data-shows="clinic-events">
      {list.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
