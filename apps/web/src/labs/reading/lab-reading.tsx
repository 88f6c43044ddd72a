'use client';
import { SECTIONS, type LabCode, type SectionId, type SelfCheck } from '@verbslab/labs';
import type { LabDescription } from '@verbslab/protocol';
import { CodeTabs } from '../code/code-tabs';
import { Gloss } from '../../ui/gloss';
import { AgainstFirst } from './against-first-table';
import { Blocks } from '../../parts/text/blocks';
import type { ShownText } from '../../parts/text/glossed';
import { Reading, type ReadRun } from '../../parts/text/live';
import { SelfChecks } from './self-checks';

/** A section of the text, under its title. */
export function Section({ id, text }: { id: SectionId; text: ShownText }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-16 font-semibold">
        {SECTIONS[id]}
      </h2>
      <Blocks list={text[id]} />
    </section>
  );
}

/** Text after a run: the explanation with its values, questions, programs, traps, relevance and sources. */
export function LabReading(props: {
  lab: LabDescription;
  text: ShownText | null;
  checks: readonly (readonly SelfCheck[])[];
  code: readonly LabCode[];
  withoutProgram: string | null;
  run: ReadRun | null;
}) {
  const { lab, text, checks, code, withoutProgram, run } = props;
  if (text === null && code.length === 0 && (checks[0]?.length ?? 0) === 0) return null;
  return (
    <Reading value={{ lab, run }}>
      <div className="mt-10 space-y-10" data-reading={run?.record.id}>
        {run ? <AgainstFirst lab={lab} run={run} /> : null}
        {text === null ? null : run ? <Section id="happened" text={text} /> : <NotRunYet text={text} />}
        {(checks[0]?.length ?? 0) > 0 ? <SelfChecks lab={lab.id} sets={checks} /> : null}
        {code.length > 0 ? <CodeTabs code={code} /> : null}
        {withoutProgram === null ? null : <WithoutProgram why={withoutProgram} />}
        {text === null
          ? null
          : (['traps', 'matters', 'sources'] as const).map((id) => <Section key={id} id={id} text={text} />)}
      </div>
    </Reading>
  );
}

function WithoutProgram({ why }: { why: string }) {
  return (
    <section aria-labelledby="without-program">
      <h2 id="without-program" className="mb-2 text-16 font-semibold">
        No example program
      </h2>
      <p className="prose">
        <Gloss>{why}</Gloss>
      </p>
    </section>
  );
}

/** Placeholder before the first run: the explanation would give the answer away, and has no values to show. */
function NotRunYet({ text }: { text: ShownText }) {
  return (
    <section aria-labelledby="happened">
      <h2 id="happened" className="mb-2 text-16 font-semibold">
        {SECTIONS.happened}
      </h2>
      <p className="prose text-ink-2">
        Run the lab first. The explanation then has the values of your run, marked […] here.
      </p>
      <details className="mt-2">
        <summary className="inline-flex min-h-8 items-center text-13 text-accent underline underline-offset-4 pointer-coarse:min-h-11">
          Read it without a run
        </summary>
        <div className="mt-2">
          <Blocks list={text.happened} />
        </div>
      </details>
    </section>
  );
}
