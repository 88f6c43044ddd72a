'use client';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazyPart } from '../../connection/lazy-part';
import type { RunView } from '../../connection/run-view';
import { text, time } from '../../format/number';
import { IconButton } from '../../ui/button';
import { Words } from '../../ui/words';
import { contents } from '../../model/machine/layout';
import type { MachineNode } from '../../model/machine/layout-types';
import type { Machine, MachinePart } from '../../model/machine/machine';
import { fillReason, fillText, nameOf, QUEUE_WORDS } from '../../model/machine/names';
import { showValue } from '../value';
import { Packets, Requests } from './inspector-lists';
import { RateLine } from './rate-line';

// Few runs have a policy to name.
const PolicyBadge = lazyPart(async () => (await import('../policies/policy-badge')).PolicyBadge);

const LIST = 'grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-2 gap-y-0.5';

export interface InspectorProps {
  view: RunView;
  machine: Machine;
  node: MachineNode;
  titleOf: (endpoint: string) => string;
  onSelect: (id: string) => void;
  onClose: () => void;
}

/** Recorded data of the selected object: attributes, queues, work requests, packets. */
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
  const { view, part, machine, onSelect } = props;
  const all = machine.hosts.flatMap(({ processes }) => processes.flatMap(({ parts }) => [...parts]));
  const named = (id: string | null): ReactNode => {
    const found = all.find((one) => one.id === id);
    return found ? (
      <button type="button" className="num text-12 text-accent underline" onClick={() => onSelect(found.id)}>
        {nameOf(found)}
      </button>
    ) : null;
  };
  const peer = all.find(({ id }) => id === part.peer);
  const policy =
    part.kind === 'QP' && part.number !== null
      ? view.model.policies.track(part.endpoint, part.number)?.last
      : undefined;
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
    <div data-object={nameOf(part)} data-kind={part.kind} data-node={part.id}>
      <dl className={`mt-2 ${LIST}`}>
        {part.state ? <Row name="State">{part.states.map(({ state }) => state).join(' → ')}</Row> : null}
        {links.map(([name, value]) =>
          value ? (
            <Row key={name} name={name} words>
              {value}
            </Row>
          ) : null,
        )}
        {policy ? (
          <Row name="Policy" words>
            <PolicyBadge policy={policy} explained />
          </Row>
        ) : null}
        <Row name="Made">{`${text(time(part.madeAt))} by ${part.call}`}</Row>
        <Row name="Destroyed">
          {part.goneAt !== null && part.goneAt <= machine.at ? text(time(part.goneAt)) : 'not yet'}
        </Row>
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
      <Requests view={view} part={part} at={machine.at} />
      <Packets view={view} part={part} />
      {attributes.length > 0 ? (
        <div className="mt-2 border-t pt-1.5">
          <h4 className="font-medium">Attributes</h4>
          <dl className={LIST}>
            {attributes.map(([name, value]) => (
              <Row key={name} name={name}>
                {showValue(value, name)}
              </Row>
            ))}
          </dl>
        </div>
      ) : null}
    </div>
  );
}

/** Attributes that are links to the objects. */
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

/** Most objects of a folded group that are listed. */
const MEMBERS = 200;

function Members({ node, onSelect }: InspectorProps) {
  return (
    <>
      <ul className="num mt-2 grid grid-cols-2 gap-x-3 text-12">
        {node.members.slice(0, MEMBERS).map((part) => (
          <li key={part.id}>
            <button type="button" className="text-accent underline" onClick={() => onSelect(part.id)}>
              {nameOf(part)}
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
    <dl className={`mt-2 ${LIST}`}>
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
      <RateLine rate={rate} />
    </Row>
  ));
}

function Device(props: InspectorProps) {
  const process = processOf(props);
  return (
    <dl className={`mt-2 ${LIST}`}>
      <Row name="Provider">{process?.providerClass ?? 'not reported'}</Row>
      <Row name="Links so far">{props.machine.links.join(', ') || 'none'}</Row>
      <Rates {...props} />
    </dl>
  );
}
