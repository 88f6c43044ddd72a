'use client';
import {
  commandsOf,
  commandText,
  isFinal,
  OUTPUT_KEPT_BYTES,
  terminalStreams,
  type RunRecord,
} from '@verbslab/protocol';
import type { OutputBlock, OutputStore } from '@verbslab/report/failure';
import { Check, Copy } from 'lucide-react';
import { Fragment, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { bytes, text } from '../../format/number';
import { Button } from '../../ui/button';
import { NeverFilled } from '../../ui/never-filled';
import { Skeleton } from '../../ui/states';
import { cn } from '../../ui/cn';
import { useCopy } from '../../ui/use-copy';
import { explainBlocks, type OutputPiece } from '../../model/explained-output';
import type { RunModel, Topic } from '../../model/run-model';
import { useReplaying } from '../../connection/replaying';
import { useTopics } from '../../connection/use-session';
import { AgainstRecords, ExplainedText } from './explained-output';
import type { PanelContentProps } from './panel-content';

const TOPICS: readonly Topic[] = ['output', 'state'];
/** Heading of perftest's table. */
const PERFTEST_RATE = /BW (?:peak|average)\[MB\/sec\]/;
const PERFTEST_LATENCY = /t_avg\[usec\]/;
const STREAM_NAME = { stdout: 'stdout', stderr: 'stderr', both: 'stdout and stderr' } as const;

/** Output of the program in order of time, with the stream of each part. */
export default function OutputPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS, 'list');
  const replaying = useReplaying();
  const { output, record, commands } = view.model;
  const several = commands.length > 1;
  const { blocks } = output;
  const [explaining, setExplaining] = useState(true);
  const explained = useMemo(
    () => explainBlocks(blocks, several ? commands : commandsOf(record)),
    [blocks, several, commands, record],
  );
  const explains = explaining && explained.size > 0;
  const why = whyMissing(view.model);
  const { atEnd, onScroll } = useEnd(blocks.reduce((n, block) => n + block.text.length, 0));
  if (blocks.length === 0 && replaying) return <Skeleton className="mx-3 mb-3 min-h-0 flex-1" />;
  if (blocks.length === 0 && isFinal(record.state))
    return <NeverFilled data-shows="no-output">{why ?? nothing(record)}</NeverFilled>;
  if (blocks.length === 0)
    return (
      <p className="px-3 pb-3 text-13 text-ink-2" data-shows="no-output">
        {why ?? nothing(record)}
      </p>
    );
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-output={blocks.length}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 pb-1 text-13 text-ink-3">
        <span data-shows="output-size">
          {[...describe(output, record), ...(why === null ? [] : [why])].join(' ')}
        </span>
        <span className="flex flex-wrap items-center gap-2">
          {explained.size > 0 ? (
            <Button aria-pressed={explaining} onClick={() => setExplaining(!explaining)}>
              Explain lines
            </Button>
          ) : null}
          <CopyOutput output={output} />
        </span>
      </div>
      <div
        ref={atEnd}
        onScroll={onScroll}
        className="thin-scroll min-h-0 flex-1 overflow-auto border-t bg-sunken px-3 py-2"
        tabIndex={0}
        role="group"
        aria-label="What the program printed"
      >
        {blocks.map((block, index) => (
          <Fragment key={block.key}>
            {several && block.command !== blocks[index - 1]?.command ? (
              <p className="mt-2 pl-2 text-12 font-medium text-ink-2 first:mt-0" data-shows="output-command">
                Command {block.command + 1}:{' '}
                <code className="num">{commandText(commands[block.command] ?? [])}</code>
              </p>
            ) : null}
            <Block block={block} pieces={explains ? explained.get(block.key) : undefined} />
          </Fragment>
        ))}
        <AgainstRecords record={record} outputs={outputsOf(blocks)} />
        {!explains && PERFTEST_LATENCY.test(output.text) ? (
          <p className="mt-2 border-t pt-1 pl-2 text-12 text-ink-3" data-words>
            perftest’s latency is half of a round trip between the two programs. Elsewhere on this page,
            latency is that of one work request, from its post to its completion.
          </p>
        ) : null}
        {!explains && PERFTEST_RATE.test(output.text) ? (
          <p className="mt-2 border-t pt-1 pl-2 text-12 text-ink-3" data-words>
            perftest’s MB/sec are 2<sup>20</sup> bytes per second: 1 Gb/s is 119.2 MB/sec. With --report_gbits
            it prints Gb/s, as this page does. Its #iterations leave out warm-up, and what completes after the
            time of -D.
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** Keeps the end in sight, as a terminal does, until the reader scrolls away from it. */
function useEnd(length: number) {
  const atEnd = useRef<HTMLDivElement>(null);
  const away = useRef(false);
  useLayoutEffect(() => {
    const list = atEnd.current;
    if (list && !away.current) list.scrollTop = list.scrollHeight;
  }, [length]);
  const onScroll = (): void => {
    const list = atEnd.current!;
    away.current = list.scrollTop + list.clientHeight < list.scrollHeight - 20;
  };
  return { atEnd, onScroll };
}

/** Output of each command. */
function outputsOf(blocks: readonly OutputBlock[]): string[] {
  const texts: string[] = [];
  for (const { command, text } of blocks) texts[command] = (texts[command] ?? '') + text;
  return texts.map((text) => text ?? '');
}

function Block({
  block: { stream, t, text: printed, leftOut },
  pieces,
}: {
  block: OutputBlock;
  pieces: readonly OutputPiece[] | undefined;
}) {
  return (
    <>
      {leftOut > 0 ? (
        <p
          className="my-1 border-y border-dashed border-line-strong py-1 text-12 text-ink-3"
          data-left-out={leftOut}
          data-shows="output-left-out"
        >
          {text(bytes(leftOut))} of {STREAM_NAME[stream]} left out here: the first and the last{' '}
          {text(bytes(OUTPUT_KEPT_BYTES))} are kept.
        </p>
      ) : null}
      <div
        data-stream={stream}
        className={cn(
          'flex gap-3 border-l-2 pl-2',
          stream === 'stderr' ? 'border-retx' : 'border-transparent',
        )}
      >
        <div
          className="num w-16 shrink-0 text-right text-12 leading-5 text-ink-3 select-none"
          data-shows="output-time"
        >
          {(t / 1e9).toFixed(3)} s
          {stream === 'stderr' ? <span className="block text-retx-ink">stderr</span> : null}
        </div>
        {pieces ? (
          <ExplainedText pieces={pieces} />
        ) : (
          <pre
            className="num min-w-0 flex-1 text-12 leading-5 break-words whitespace-pre-wrap"
            data-shows="output"
          >
            {printed}
          </pre>
        )}
      </div>
    </>
  );
}

/** Button that copies all shown output, or says that the browser refused. */
function CopyOutput({ output }: { output: OutputStore }) {
  const { said, copied, copy } = useCopy('The browser did not allow copying. Select the text instead.');
  return (
    <span className="flex items-center gap-2">
      <span role="status" className="text-12">
        {said}
      </span>
      <Button onClick={() => void copy(output.text)}>
        {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        Copy
      </Button>
    </span>
  );
}

function describe(output: OutputStore, record: RunRecord): string[] {
  const told = (['stdout', 'stderr', 'both'] as const).filter((stream) => output.bytes(stream) > 0);
  const sums = told.map((stream) => `${text(bytes(output.bytes(stream)))} of ${STREAM_NAME[stream]}`);
  const said = sums.length > 0 ? [`${sums.join(', ')}.`] : [];
  const full = told.some((stream) => output.bytes(stream) >= OUTPUT_KEPT_BYTES);
  if (full && !isFinal(record.state))
    said.push(`The last ${text(bytes(OUTPUT_KEPT_BYTES))} follow when the program ends.`);
  if (told.includes('both'))
    said.push('Both were sent to one place (2>&1), so their lines cannot be told apart.');
  return said;
}

const nothing = (record: RunRecord): string =>
  !isFinal(record.state)
    ? 'What the program prints appears here.'
    : record.result?.program
      ? 'The program printed nothing.'
      : 'The agent that kept this run did not record output.';

/** Streams that go to a terminal, as text, with their number. */
function toTerminals({ record, commands, terminals }: RunModel): { said: string; n: number } {
  if (commands.length < 2) {
    const streams = terminalStreams(record);
    return { said: streams.join(' and '), n: streams.length };
  }
  const ended = record.result?.program?.commands;
  const each = commands.map((_, index) =>
    ended
      ? (ended[index]?.terminal ?? [])
      : (terminals.get(index) ?? (index === 0 ? terminalStreams(record) : [])),
  );
  return {
    said: each
      .flatMap((streams, index) =>
        streams.length === 0 ? [] : [`${streams.join(' and ')} of command ${index + 1}`],
      )
      .join(', '),
    n: each.flat().length,
  };
}

/** Reason why output is missing; null if none is. */
function whyMissing(model: RunModel): string | null {
  const { said, n } = toTerminals(model);
  if (n === 0) return null;
  return (
    `${said} ${isFinal(model.record.state) ? 'went' : n === 1 ? 'goes' : 'go'} to a terminal and ` +
    `${n === 1 ? 'is' : 'are'} not recorded, so that the program keeps its terminal. ` +
    'To record it as well, run the program with verbslab exec --keep-output.'
  );
}
