'use client';
import { ArrowRight, Check } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { PictureStage, Recording } from '../model/picture/recording';
import { stagesOf } from '../model/picture/stages-of';
import { stateAt } from '../model/picture/state-at';
import { Picture } from '../parts/picture/picture';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { STORY } from './story';
import { Summary } from './summary';
import { useStageTime } from './use-stage-time';
import { verdictText, waitText, withoutWorkers, WORKERS, workIn, type Work, type Worker } from './who-works';

/** An answer, or null if the reader let the picture show it. */
type Answer = Worker | null;

/**
 * A recorded WRITE, stage by stage: the reader says who will work, and the picture shows who does. `first`: number of the
 * stage to begin with, from 0.
 */
export function GuidedWrite(props: {
  recording: Recording;
  first?: number;
  onStage?: (stage: number) => void;
}) {
  const { recording, first = 0, onStage } = props;
  const stages = useMemo(() => stagesOf(recording), [recording]);
  const [at, setAt] = useState(first);
  const [answers, setAnswers] = useState<Readonly<Record<number, Answer>>>({});
  const stage = stages[at];
  const answer = answers[at];
  const answered = answer !== undefined;
  const time = useStageTime(stage ?? stages.at(-1)!, stage === undefined || answered);
  const asks = stage !== undefined && !answered;
  const shown = stateAt(recording, stages, time);
  const work = useMemo(() => stages.map((one) => workIn(recording, stages, one)), [recording, stages]);
  const right = work.filter(({ works }, i) => {
    const given = answers[i];
    return given != null && works.includes(given);
  }).length;

  function go(to: number) {
    setAt(to);
    if (to === 0) setAnswers({});
    onStage?.(to);
  }

  return (
    <div className="grid gap-4">
      <Progress stages={stages} at={at} onGo={go} />
      {/* On a phone the picture is higher than the window: the question stands above it. */}
      <div className="min-w-0 max-sm:order-last">
        <Picture
          state={asks ? withoutWorkers(shown) : shown}
          label={
            stage
              ? answered
                ? stage.caption
                : (STORY[stage.name]?.before ?? stage.name)
              : 'The WRITE is complete.'
          }
          asks={asks}
          playing={answered && time < (stage?.to ?? 0)}
        />
      </div>
      {stage ? (
        <Stage
          key={at}
          stage={stage}
          answer={answer}
          work={work[at]!}
          last={at === stages.length - 1}
          onAnswer={(given) => setAnswers({ ...answers, [at]: given })}
          onNext={() => go(at + 1)}
        />
      ) : (
        <Summary right={right} of={stages.length} onAgain={() => go(0)} />
      )}
    </div>
  );
}

/** The stages by name; those that were seen can be opened again. */
function Progress(props: { stages: readonly PictureStage[]; at: number; onGo: (stage: number) => void }) {
  const { stages, at, onGo } = props;
  return (
    <ol aria-label="Stages" className="flex flex-wrap gap-x-4 text-13">
      {stages.map(({ name }, i) => (
        <li key={name} aria-current={i === at ? 'step' : undefined} className="flex items-center">
          <span className="num mr-1.5 text-12 text-ink-3">{i + 1}</span>
          {i < at ? (
            <button
              type="button"
              onClick={() => onGo(i)}
              className="min-h-8 text-accent hover:underline pointer-coarse:min-h-11"
            >
              {name}
            </button>
          ) : (
            <span className={i === at ? 'font-semibold' : 'text-ink-3'}>{name}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

function Stage(props: {
  stage: PictureStage;
  answer: Answer | undefined;
  work: Work;
  last: boolean;
  onAnswer: (answer: Answer) => void;
  onNext: () => void;
}) {
  const { stage, answer, work, last, onAnswer, onNext } = props;
  const { works } = work;
  const story = STORY[stage.name];
  const answered = answer !== undefined;
  const place = useRef<HTMLDivElement>(null);
  // Enter alone leads through the tour: the focus goes to the first answer, and then to the next stage.
  useEffect(() => {
    place.current
      ?.querySelector<HTMLElement>(answered ? '[data-next]' : '[data-answer]')
      ?.focus({ preventScroll: true });
  }, [answered]);
  return (
    <div ref={place} data-stage={stage.name} className="grid min-h-36 content-start gap-3 max-sm:min-h-80">
      <fieldset className="min-w-0">
        <legend className="mb-2 text-16">
          {story?.before} <span className="font-semibold">Who works now?</span>
        </legend>
        <div className="flex flex-wrap gap-2">
          {WORKERS.map(({ id, text }) => (
            <Button
              key={id}
              data-answer={id}
              aria-pressed={answered ? answer === id : undefined}
              aria-disabled={answered}
              onClick={() => (answered ? undefined : onAnswer(id))}
              className={cn(
                'relative',
                answered && works.includes(id) && 'outline-2 -outline-offset-1 outline-accent',
              )}
            >
              {answered && works.includes(id) ? (
                <Check
                  size={16}
                  aria-label="works:"
                  className="absolute -top-2 -right-2 rounded-full bg-accent p-0.5 text-on-accent"
                />
              ) : null}
              {text}
            </Button>
          ))}
          <Button
            kind="quiet"
            aria-disabled={answered}
            onClick={() => (answered ? undefined : onAnswer(null))}
          >
            Show me
          </Button>
        </div>
      </fieldset>
      <div className="grid gap-3 md:grid-cols-[minmax(0,1fr)_auto]">
        <p role="status" className="max-w-[92ch]">
          {answered ? (
            <>
              <span
                className="font-semibold"
                data-verdict={answer === null ? 'shown' : works.includes(answer) ? 'right' : 'wrong'}
              >
                {verdictText(answer, work)}
              </span>{' '}
              <span data-shows="stage">
                {[story?.after ?? stage.caption, waitText(work)].filter(Boolean).join(' ')}
              </span>
            </>
          ) : null}
        </p>
        {answered ? (
          <Button kind="primary" data-next onClick={onNext} className="justify-self-start">
            {last ? 'What you saw' : 'Next'}
            <ArrowRight size={14} aria-hidden />
          </Button>
        ) : null}
      </div>
    </div>
  );
}
