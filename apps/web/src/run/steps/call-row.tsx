'use client';
import { qpnText, type LabDescription } from '@verbslab/protocol';
import type { RunView } from '../../connection/run-view';
import { callsLine } from '../../model/step-facts';
import { callsOf, roleTitle, type StepLog } from '../../model/step-log';
import { RunProvider } from '../../parts/run/run-provider';
import { CopyButton } from '../../ui/copy-button';
import { Fold } from '../../ui/fold';
import { Term } from '../../ui/term';
import { Objects, type Verb } from '../c/objects';
import { callSource, stepSource } from '../c/source';
import { VerbTable } from '../verb-table';
import { WrLife } from '../wr-life';
import { Completions } from './completions';
import { Exchange } from './exchange';
import { Part } from './part';

/** Exchanged values, calls, times of requests, completions and asynchronous events. */
export function CallRow({ view, lab, step }: { view: RunView; lab: LabDescription; step: StepLog }) {
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
  const polled = begun && (completions.length > 0 || verbs.some((v) => v.call === 'ibv_poll_cq'));
  return (
    <Fold
      id="step-call-rows"
      title="Calls"
      summary={<span data-shows="step-calls">{callsLine(lab, step)}</span>}
      holds={(id) => id === 'panel-verbs' || id === 'panel-completions'}
    >
      {exchanges.length > 0 ? (
        <Part id="exchange" title="Exchanged values">
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
          title="Verbs calls"
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
      ) : exchanges.length === 0 ? (
        <p className="text-13 text-ink-3">No verbs call was recorded in this step.</p>
      ) : null}
      {wrs.length > 0 ? (
        <Part id="timeline" title="Work request timeline" aside={<RunProvider view={view} />}>
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
    </Fold>
  );
}
