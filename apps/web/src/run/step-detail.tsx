'use client';
import { type LabDescription, lookupWcStatus, qpnText, type RunEventOf } from '@verbslab/protocol';
import { useRouter, useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { lazyPart } from '../connection/lazy-part';
import type { RunView } from '../connection/run-view';
import { count, text, time } from '../format/number';
import { CopyButton } from '../ui/copy-button';
import { Explained } from '../ui/explained';
import { Gloss } from '../ui/gloss';
import { Term } from '../ui/term';
import { Objects, type Verb } from './c/objects';
import { callSource, stepSource } from './c/source';
import { callsOf, roleTitle, type StepLog } from '../model/step-log';
import { RunProvider } from '../parts/run/run-provider';
import { QpStates } from '../ui/qp-states';
import { showValue } from './value';
import { VerbTable } from './verb-table';
import { WrLife } from './wr-life';

// Packet decoding is loaded with the first step that has packets.
const StepPackets = lazyPart(async () => (await import('./step-packets')).default);

/** Details of a step: all its events. */
export function StepDetail({ view, lab, step }: { view: RunView; lab: LabDescription; step: StepLog }) {
  const router = useRouter();
  const query = useSearchParams();
  const title = (role: string) => roleTitle(lab, role);
  const of = <K extends StepLog['events'][number]['kind']>(kind: K) =>
    step.events.filter((e): e is Extract<StepLog['events'][number], { kind: K }> => e.kind === kind);
  const verbs = callsOf(step);
  const objects = new Objects(view.model.trace.filter((e): e is Verb => e.kind === 'verb'));
  const exchanges = of('exchange');
  const wrs = of('wr');
  const completions = of('completion');
  const asyncs = of('async');
  const begun = !Number.isNaN(step.begin);
  const asked = Number(query.get('packet')) - 1;
  const selected = step.packets.includes(asked) ? asked : null;

  function selectPacket(index: number) {
    const next = new URLSearchParams(location.search);
    next.set('step', step.id);
    next.set('packet', String(index + 1));
    router.replace(`${location.pathname}?${next}`, { scroll: false });
  }

  const polled = begun && (completions.length > 0 || verbs.some((v) => v.call === 'ibv_poll_cq'));
  const shown = [
    exchanges.length > 0 && ('exchange' as const),
    verbs.length > 0 && ('verbs' as const),
    wrs.length > 0 && ('timeline' as const),
    polled && ('completions' as const),
    step.packets.length > 0 && ('packets' as const),
  ].filter((part) => part !== false);

  return (
    <article aria-labelledby="step-title" className="min-w-0" data-at-step={step.index}>
      <h2 id="step-title" className="text-20 font-semibold" data-words>
        <span className="num text-ink-3">{step.index + 1}</span> {step.title}
      </h2>
      <p className="prose mt-1 text-ink-2">
        <Gloss>{step.text}</Gloss>
      </p>

      <div className="mt-4 flex flex-wrap gap-x-12 gap-y-3">
        {lab.roles.map((r) => (
          <div key={r.name} className="w-[22rem] max-w-full">
            <QpStates name={r.title} state={step.states[r.name] ?? null} moves={step.moves[r.name] ?? []} />
          </div>
        ))}
      </div>

      <JumpTo parts={shown} />

      {!begun && step.events.length === 0 ? (
        <p className="mt-6 border-t pt-3 text-ink-3">
          {step.state === 'waiting'
            ? 'This step is next. Its verbs calls, completions and packets appear here when it has run.'
            : 'This step has not run yet.'}
        </p>
      ) : null}

      {exchanges.length > 0 ? (
        <Part id="exchange" title={PARTS.exchange}>
          <div className="grid gap-3 lg:grid-cols-2">
            {exchanges.map((x) => (
              <Exchange key={x.seq} x={x} title={title} />
            ))}
          </div>
        </Part>
      ) : null}

      {verbs.length > 0 ? (
        <Part
          id="verbs"
          title={PARTS.verbs}
          aside={<span data-shows="verbs-count">{verbs.length}</span>}
          tools={
            <CopyButton
              source={() => stepSource({ ...step, verbs }, objects, `run ${view.model.record.number}`)}
              text="Copy step as C"
            />
          }
        >
          <VerbTable verbs={verbs} roleTitle={title} source={(verb) => callSource(verb, objects)} />
        </Part>
      ) : null}

      {wrs.length > 0 ? (
        <Part id="timeline" title={PARTS.timeline} aside={<RunProvider view={view} />}>
          {wrs.map((wr) => (
            <WrLife key={wr.seq} wr={wr} />
          ))}
        </Part>
      ) : null}

      {polled ? (
        <Part
          id="completions"
          title={
            <>
              Completions (<Term id="cqe">CQEs</Term>)
            </>
          }
        >
          <Completions
            list={completions}
            title={title}
            from={step.begin}
            roles={lab.roles.map((r) => r.name)}
          />
        </Part>
      ) : null}

      {asyncs.length > 0 ? (
        <Part id="async" title="Asynchronous events">
          <ul className="num text-13">
            {asyncs.map((a) => (
              <li key={a.seq} data-shows="async">
                {title(a.endpoint ?? '')}: {a.event}
                {a.qpn === undefined ? '' : `, QP ${qpnText(a.qpn)}`}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}

      {step.packets.length > 0 ? (
        <Part
          id="packets"
          title={PARTS.packets}
          aside={<span data-shows="packets-count">{count(step.packets.length)}</span>}
        >
          <StepPackets view={view} lab={lab} step={step} selected={selected} onSelect={selectPacket} />
        </Part>
      ) : null}
    </article>
  );
}

const PARTS = {
  exchange: 'Exchanged values',
  verbs: 'Verbs calls',
  timeline: 'Work request timeline',
  completions: 'Completions',
  packets: 'Packets',
} as const;

/** Links to the parts of a step that do not fit on the screen. */
function JumpTo({ parts }: { parts: readonly (keyof typeof PARTS)[] }) {
  if (parts.length < 2) return null;
  return (
    <nav aria-label="In this step" className="mt-3 flex flex-wrap gap-x-3 text-13 max-sm:hidden">
      <span className="text-ink-3">In this step</span>
      {parts.map((part) => (
        <a key={part} href={`#step-${part}`} className="text-accent hover:underline">
          {PARTS[part]}
        </a>
      ))}
    </nav>
  );
}

/** `id`: name of the part for the audit. */
function Part(props: {
  id: string;
  title: ReactNode;
  aside?: ReactNode;
  /** Content at the right of the heading. */
  tools?: ReactNode;
  children: ReactNode;
}) {
  const { id, title, aside, tools, children } = props;
  return (
    <section className="mt-6 scroll-mt-16" id={`step-${id}`} data-panel={id}>
      <div className="mb-1.5 flex items-center justify-between gap-2">
        <h3 className="flex items-center gap-2 text-14 font-semibold">
          <span>{title}</span>
          <span className="num text-12 font-normal text-ink-3">{aside}</span>
        </h3>
        {tools}
      </div>
      {children}
    </section>
  );
}

function Exchange({ x, title }: { x: RunEventOf<'exchange'>; title: (role: string) => string }) {
  return (
    <div className="border-t pt-1.5 text-13" data-from={x.from}>
      <p className="mb-1 text-ink-2">
        {title(x.from)} to {title(x.to).toLowerCase()}
      </p>
      <dl className="num grid grid-cols-[5rem_1fr] text-12 leading-5">
        {Object.entries(x.values).map(([k, v]) => (
          <div key={k} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-3">{k}</dt>
            <dd className="break-all" data-shows="exchanged" data-field={k}>
              {showValue(v, k)}
            </dd>
          </div>
        ))}
        {x.record ? (
          <div className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-ink-3" data-shows="record-bytes">
              12 bytes
            </dt>
            <dd className="break-all" data-shows="exchanged" data-field="record">
              {x.record}
            </dd>
          </div>
        ) : null}
      </dl>
    </div>
  );
}

function Completions(props: {
  list: readonly RunEventOf<'completion'>[];
  title: (role: string) => string;
  from: number;
  roles: readonly string[];
}) {
  const silent = props.roles.filter((r) => !props.list.some((c) => c.endpoint === r));
  return (
    <>
      {props.list.length > 0 ? (
        <div
          className="thin-scroll overflow-x-auto"
          tabIndex={0}
          role="group"
          aria-label="Completions of this step"
        >
          <table className="w-full max-w-[48rem] text-13" data-shows="step-completions">
            <thead className="text-12 text-ink-3">
              <tr>
                {['Side', 'Opcode', 'Status', 'wr_id', 'Bytes', 'QP', 'Time in step'].map((h, i) => (
                  <th
                    key={h}
                    scope="col"
                    className={i > 2 ? 'h-6 pl-3 text-right font-normal' : 'h-6 pr-3 text-left font-normal'}
                  >
                    {h}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y border-y">
              {props.list.map((c) => (
                <tr
                  key={c.seq}
                  data-completion={c.wc.opcode}
                  className={c.wc.status === 0 ? '' : 'text-error-ink'}
                >
                  <td className="h-7 pr-3">{props.title(c.endpoint ?? '')}</td>
                  <td className="num pr-3 text-12">{c.wc.status === 0 ? c.wc.opcode : '–'}</td>
                  <td className="num pr-3 text-12">
                    <Explained meaning={lookupWcStatus(c.wc.status).meaning}>{c.wc.statusName}</Explained>
                  </td>
                  <td className="num pl-3 text-right text-12">{c.wc.wrId}</td>
                  <td className="num pl-3 text-right text-12">
                    {/* A failed completion has no meaningful byte_len. */}
                    {c.wc.status === 0 ? count(c.wc.byteLen) : '–'}
                  </td>
                  <td className="num pl-3 text-right text-12">{qpnText(c.wc.qpn)}</td>
                  <td className="num pl-3 text-right text-12">{text(time(c.t - props.from))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {silent.length > 0 ? (
        <p className="mt-1 text-13 text-ink-3" data-shows="no-completion">
          No completion was polled at {silent.map((r) => `the ${props.title(r).toLowerCase()}`).join(' or ')}{' '}
          in this step.
        </p>
      ) : null}
    </>
  );
}
