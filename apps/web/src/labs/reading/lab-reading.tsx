'use client';
import { plural, SECTIONS } from '@verbslab/labs';
import type { LabDescription } from '@verbslab/protocol';
import { Fold } from '../../ui/fold';
import { Gloss } from '../../ui/gloss';
import { Blocks } from '../../parts/text/blocks';
import { Reading, type ReadRun } from '../../parts/text/live';
import { firstSentence, linkNames, listItems } from '../../parts/text/plain';
import { TermList } from '../../parts/text/term-list';
import { CodeTabs } from '../code/code-tabs';
import type { LabReading } from './reading-of';
import { SelfChecks } from './self-checks';

interface ReadingProps {
  lab: LabDescription;
  reading: LabReading;
  run: ReadRun | null;
}

/** What the reader will be able to explain. */
export function Goals({ lab, reading: { text } }: ReadingProps) {
  if (text === null) return null;
  return (
    <Reading value={{ lab, run: null }}>
      <Fold id="goals" title={SECTIONS.goals} summary={<Words>{listItems(text.goals).join(' ')}</Words>}>
        <Blocks list={text.goals} />
      </Fold>
    </Reading>
  );
}

/** The explanation with the values of a run. Before the run it is closed, because it would give the answer away. */
export function Happened({ lab, reading: { text }, run }: ReadingProps) {
  if (text === null) return null;
  return (
    <Reading value={{ lab, run }}>
      <Fold
        key={run === null ? 'before' : 'after'}
        id="happened"
        title={SECTIONS.happened}
        summary={run === null ? 'read it without a run' : 'with the figures of this run'}
        opened={run !== null}
      >
        <div data-reading={run?.record.id}>
          {run === null ? (
            <p className="prose mb-3 text-13 text-ink-3">
              Run the lab first. The explanation then has the values of your run, marked […] here.
            </p>
          ) : null}
          <Blocks list={text.happened} />
        </div>
      </Fold>
    </Reading>
  );
}

/** Questions, programs, traps, relevance, sources and terms. */
export function Further(props: ReadingProps) {
  const { lab, reading, run } = props;
  const { text, checks, code, withoutProgram, terms } = reading;
  const questions = checks[0]?.length ?? 0;
  return (
    <Reading value={{ lab, run }}>
      {questions > 0 ? (
        <Fold
          id="self-checks"
          title="Check yourself"
          words
          summary={<Words>{questions === 1 ? 'one question' : `${questions} questions`}</Words>}
        >
          <SelfChecks lab={lab.id} sets={checks} />
        </Fold>
      ) : null}
      {code.length > 0 ? (
        <Fold id="code" title="Code" words summary={<Words>{codeText(reading)}</Words>}>
          <CodeTabs code={code} />
        </Fold>
      ) : null}
      {withoutProgram === null ? null : (
        <Fold id="without-program" title="No example program" summary="why this lab has none">
          <p className="prose">
            <Gloss>{withoutProgram}</Gloss>
          </p>
        </Fold>
      )}
      {text === null
        ? null
        : (['traps', 'matters', 'sources'] as const).map((id) => (
            <Fold key={id} id={id} title={SECTIONS[id]} summary={<Words>{sectionText(id, reading)}</Words>}>
              <Blocks list={text[id]} />
            </Fold>
          ))}
      {terms.length > 0 ? (
        <Fold
          id="terms"
          title="Terms"
          words
          summary={<Words>{`${plural(terms.length, 'word')} of the field`}</Words>}
        >
          <TermList terms={terms} />
        </Fold>
      ) : null}
    </Reading>
  );
}

/** Words and numbers that are the same in every run. */
const Words = ({ children }: { children: string }) => <span data-words>{children}</span>;

function codeText({ code }: LabReading): string {
  const [first, ...others] = code;
  const lines = first?.files[0]?.text.trimEnd().split('\n').length ?? 0;
  const also = others.length > 0 ? `, also in ${others.map(({ language }) => language).join(' and ')}` : '';
  return `${plural(lines, 'line')} of ${first?.language} that ${lines === 1 ? 'does' : 'do'} the same${also}`;
}

function sectionText(id: 'traps' | 'matters' | 'sources', { text }: LabReading): string {
  if (text === null) return '';
  if (id === 'matters') return firstSentence(text.matters);
  if (id === 'sources') return linkNames(text.sources).join(', ');
  const beliefs = listItems(text.traps).length;
  return beliefs > 0 ? `${beliefs} things that people believe` : firstSentence(text.traps);
}
