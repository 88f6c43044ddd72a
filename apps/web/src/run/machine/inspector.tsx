'use client';
import { lookupWcStatus } from '@verbslab/protocol';
import { arrowLabel } from '@verbslab/roce';
import { X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { MouseEvent, ReactNode } from 'react';
import type { RunView } from '../../connection/run-view';
import { bytes, count, text, time } from '../../format/number';
import { runPackets } from '../../packets/rows';
import { IconButton } from '../../ui/button';
import { Words } from '../../ui/words';
import { bookOf } from '../model/machine/book';
import type { MachineNode } from '../model/machine/layout';
import { contents } from '../model/machine/layout';
import type { Machine, MachinePart } from '../model/machine/machine';
import { fillReason, fillText, nameOf, QUEUE_WORDS } from '../model/machine/names';
import { packetsOf } from '../model/machine/packets';
import type { Work } from '../model/machine/work';
import { writeSelection, type Selection } from '../selection-query';
import { showValue } from '../value';
import { RateLine } from './rate-line';

/** Requests and packets that are listed of one object; the panels have them all. */
const LISTED = 20;

export interface InspectorProps {
  view: RunView;
  machine: Machine;
  node: MachineNode;
  program: boolean;
  titleOf: (endpoint: string) => string;
  onSelect: (id: string) => void;
  onClose: () => void;
}

/** What the record has of the chosen object: attributes, queues, work requests, packets. */
export function Inspector(props: InspectorProps) {
  const { node, titleOf, onClose } = props;
  const { part, what, label, endpoint } = node;
  return (
    <section
      aria-label={`Inspector: ${label}`}
      data-inspector={node.kind}
      data-endpoint={endpoint}
      className="text-13"
    >
      <header className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h3
            className="num text-14 font-semibold break-words"
            data-shows={part ? 'machine-object' : undefined}
            data-object={part ? label : undefined}
            data-kind={node.kind}
            data-words={part ? undefined : true}
          >
            {label}
          </h3>
          <p className="text-ink-3" data-words>
            {what === 'process' ? 'Process' : titleOf(endpoint)}
          </p>
        </div>
        <IconButton label="Close the inspector" onClick={onClose}>
          <X size={14} aria-hidden />
        </IconButton>
      </header>
      {part ? <Details {...props} part={part} /> : null}
      {what === 'group' ? <Members {...props} /> : null}
      {what === 'process' ? <Process {...props} /> : null}
      {what === 'device' ? <Device {...props} /> : null}
    </section>
  );
}

function Details(props: InspectorProps & { part: MachinePart }) {
  const { view, part, machine, program, onSelect } = props;
  const all = machine.hosts.flatMap(({ processes }) => processes.flatMap(({ parts }) => [...parts]));
  const named = (id: string | null): ReactNode => {
    const found = all.find((one) => one.id === id);
    return found ? (
      <button type="button" className="num text-12 text-accent underline" onClick={() => onSelect(found.id)}>
        {nameOf(found, program)}
      </button>
    ) : null;
  };
  const peer = all.find(({ id }) => id === part.peer);
  const links = [
    ['In', named(part.parent)],
    [
      'Connected to',
      peer ? (
        <>
          {named(peer.id)} of {props.titleOf(peer.endpoint)}
        </>
      ) : null,
    ],
    ['Send CQ', named(part.sendCq)],
    ['Receive CQ', part.recvCq === part.sendCq ? null : named(part.recvCq)],
    ['SRQ', named(part.srq)],
  ] as const;
  const attributes = Object.entries({ ...part.attrs, ...part.connection }).filter(
    ([name, value]) => value !== null && !LINKED.has(name),
  );
  return (
    <div data-object={nameOf(part, program)} data-kind={part.kind} data-node={part.id}>
      <dl className="mt-2 grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-2 gap-y-0.5">
        {part.state ? <Row name="State">{part.states.map(({ state }) => state).join(' → ')}</Row> : null}
        {links.map(([name, value]) =>
          value ? (
            <Row key={name} name={name} words>
              {value}
            </Row>
          ) : null,
        )}
        <Row name="Made">{`${text(time(part.madeAt))} by ${part.call}`}</Row>
        <Row name="Destroyed">
          {part.goneAt !== null && part.goneAt <= machine.at ? text(time(part.goneAt)) : 'not yet'}
        </Row>
        {attributes.map(([name, value]) => (
          <Row key={name} name={name}>
            {showValue(value, name)}
          </Row>
        ))}
      </dl>
      {part.rings.map((ring) => (
        <div
          key={ring.queue}
          className="mt-2 border-t pt-1.5"
          data-queue={ring.queue}
          data-fill={ring.fill.is}
        >
          <p className="flex justify-between gap-2">
            <span className="font-medium">{capital(QUEUE_WORDS[ring.queue])}</span>
            <span className="num text-12" data-shows="machine-fill">
              {fillText(ring)}
            </span>
          </p>
          <p className="text-ink-2" data-words>
            <Words>{fillReason(ring)}</Words>
          </p>
        </div>
      ))}
      <Requests {...props} />
      <Packets view={view} part={part} />
    </div>
  );
}

/** Shown as links to the objects. */
const LINKED = new Set(['pd', 'send_cq', 'recv_cq', 'srq', 'context']);

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function Row({ name, words = false, children }: { name: string; words?: boolean; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd
        className="num min-w-0 text-12 leading-5 break-words"
        {...(words ? { 'data-words': true } : { 'data-shows': 'machine-attribute', 'data-attribute': name })}
      >
        {children}
      </dd>
    </>
  );
}

/** A link to what another view of the page shows of it. */
function Jump({ to, children }: { to: Selection; children: ReactNode }) {
  const router = useRouter();
  const href = (): string => {
    const next = new URLSearchParams(typeof location === 'undefined' ? '' : location.search);
    writeSelection(next, to);
    return `/runs/view?${next}`;
  };
  return (
    <a
      href={href()}
      className="text-accent underline"
      onClick={(e: MouseEvent) => {
        if (e.metaKey || e.ctrlKey || e.shiftKey) return;
        e.preventDefault();
        router.replace(href(), { scroll: false });
      }}
    >
      {children}
    </a>
  );
}

function Requests({ view, part, machine }: InspectorProps & { part: MachinePart }) {
  const book = bookOf(view.model);
  const work = (['SQ', 'RQ', 'SRQ'] as const)
    .flatMap((queue) => [...book.workOf(part, queue)])
    .filter(({ posted }) => posted <= machine.at);
  if (part.kind !== 'QP' && part.kind !== 'SRQ') return null;
  const latest = work.slice(-LISTED).reverse();
  return (
    <div className="mt-2 border-t pt-1.5" data-machine-requests>
      <h4 className="font-medium">Work requests</h4>
      {part.kind === 'QP' && part.number !== null ? (
        <p>
          <Jump to={{ kind: 'qp', endpoint: part.endpoint, qpn: part.number }}>This QP in the timeline</Jump>
        </p>
      ) : null}
      {latest.length === 0 ? (
        <p className="text-ink-3">None is recorded one by one up to this time.</p>
      ) : (
        <ol className="num text-12">
          {latest.map((one, i) => (
            <li key={`${one.seq} ${i}`} data-shows="machine-request" data-seq={one.seq}>
              <Jump to={one.life ? { kind: 'wr', seq: one.life.seq } : { kind: 'event', seq: one.seq }}>
                {one.opcode} wr_id {Number.isNaN(one.wrId) ? '–' : one.wrId}
              </Jump>
              <span className="text-ink-3">{` ${text(bytes(one.bytes))}, ${outcome(one, machine.at)}`}</span>
            </li>
          ))}
        </ol>
      )}
      {work.length > latest.length ? (
        <p className="text-ink-3" data-words>
          The latest {LISTED} are listed.
        </p>
      ) : null}
    </div>
  );
}

function outcome({ done, polled, status, signaled }: Work, at: number): string {
  if (polled !== null && polled <= at) return status ? lookupWcStatus(status).name : 'polled';
  if (done === null || done > at) return 'outstanding';
  return signaled ? 'completed' : 'completed, unsignaled';
}

function Packets({ view, part }: { view: RunView; part: MachinePart }) {
  if (!['QP', 'MR', 'MW'].includes(part.kind) || view.model.packets.length === 0) return null;
  const rows = runPackets(view.model.packets);
  const list = packetsOf(view.model, part, (index) => rows.at(index), LISTED);
  return (
    <div className="mt-2 border-t pt-1.5">
      <h4 className="font-medium">Packets</h4>
      {list.length === 0 ? (
        <p className="text-ink-3">
          {part.kind === 'QP'
            ? 'None of the recorded packets is its.'
            : 'None of the recorded packets has its key.'}
        </p>
      ) : (
        <ol className="num text-12">
          {list.map((index) => (
            <li key={index} data-shows="machine-packet" data-packet={index}>
              <Jump
                to={{ kind: 'packet', index }}
              >{`${count(index + 1)} ${arrowLabel(rows.at(index)!)}`}</Jump>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** Objects of a kind that are not all drawn. */
const MEMBERS = 200;

function Members({ node, program, onSelect }: InspectorProps) {
  return (
    <>
      <ul className="num mt-2 grid grid-cols-2 gap-x-3 text-12">
        {node.members.slice(0, MEMBERS).map((part) => (
          <li key={part.id}>
            <button type="button" className="text-accent underline" onClick={() => onSelect(part.id)}>
              {nameOf(part, program)}
            </button>
            {part.state ? ` ${part.state}` : ''}
          </li>
        ))}
      </ul>
      {node.members.length > MEMBERS ? (
        <p className="mt-1 text-ink-3" data-words>
          The first {MEMBERS} are listed. The table has more.
        </p>
      ) : null}
    </>
  );
}

const processOf = ({ machine, node }: InspectorProps) =>
  machine.hosts.flatMap(({ processes }) => [...processes]).find(({ endpoint }) => endpoint === node.endpoint);

function Process(props: InspectorProps) {
  const process = processOf(props);
  if (!process) return null;
  return (
    <dl className="mt-2 grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-2 gap-y-0.5">
      {process.pid === null ? null : <Row name="pid">{String(process.pid)}</Row>}
      <Row name="Device">{process.device}</Row>
      <Row name="Objects">{contents(process.parts)}</Row>
      <Rates {...props} />
    </dl>
  );
}

function Rates(props: InspectorProps) {
  const rates = processOf(props)?.rates ?? [];
  return rates.map((rate) => (
    <Row key={rate.transport} name="Moves" words>
      <RateLine rate={rate} endpoint={props.node.endpoint} />
    </Row>
  ));
}

function Device(props: InspectorProps) {
  const process = processOf(props);
  return (
    <dl className="mt-2 grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-2 gap-y-0.5">
      <Row name="Provider">{process?.providerClass ?? 'not reported'}</Row>
      <Row name="Links so far">{props.machine.links.join(', ') || 'none'}</Row>
      <Rates {...props} />
    </dl>
  );
}
