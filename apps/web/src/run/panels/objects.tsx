'use client';
import { noun } from '@verbslab/labs';
import { isFinal, qpnText } from '@verbslab/protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { bytes, count, hex, text } from '../../format/number';
import { cn } from '../../ui/cn';
import type { ProgramObject } from '../../model/object-store';
import type { Topic } from '../../model/run-model';
import { useReplaying } from '../../connection/replaying';
import { useTopics } from '../../connection/use-session';
import { showValue } from '../value';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['objects', 'state'];
const ROW = 44;
/** Kinds whose number is a QPN or a key, with the number of digits in the misuse report. */
const HEX_DIGITS: Readonly<Record<string, number>> = { QP: 6, MR: 8, MW: 8 };
/** Attributes that are shown elsewhere, or are not important enough for a list. */
const LEFT_OUT = new Set(['type', 'length', 'access', 'cqe', 'max_send_sge', 'max_recv_sge']);

/** Verbs objects of the program, created or destroyed, newest first. */
export default function ObjectsPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS, 'list');
  const replaying = useReplaying();
  const { all } = view.model.objects;
  const scroll = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: all.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    overscan: 6,
    initialRect: { width: 0, height: 320 },
  });
  const over = isFinal(view.model.record.state) && !replaying;
  const live = all.reduce((n, o) => n + (o.goneAt === null ? 1 : 0), 0);
  if (all.length === 0) {
    return (
      <Waiting
        record={view.model.record}
        soon="Each object appears here as the program makes it: PD, MR, CQ, QP with its states, SRQ, AH."
        never="The program made no verbs object."
      />
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-objects={all.length} data-live={live}>
      <p className="min-h-6 px-3 text-13">
        <span className="num" data-shows="objects-made">
          {count(all.length)}
        </span>{' '}
        <span className="text-ink-3">{noun(all.length, 'object')}, </span>
        {live === 0 ? (
          <span className="text-ink-3">all destroyed</span>
        ) : (
          <>
            <span className="num" data-shows="objects-live">
              {count(live)}
            </span>{' '}
            <span className="text-ink-3">{over ? 'never destroyed' : 'live'}</span>
          </>
        )}
      </p>
      <div
        ref={scroll}
        tabIndex={0}
        role="group"
        data-records="objects"
        aria-label="Objects, newest first"
        className="thin-scroll min-h-0 flex-1 overflow-y-auto border-t"
      >
        <ol className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const object = all[all.length - 1 - item.index]!;
            return <Row key={object.key} object={object} top={item.start} over={over} />;
          })}
        </ol>
      </div>
    </div>
  );
}

function Row({ object, top, over }: { object: ProgramObject; top: number; over: boolean }) {
  const { kind, number, attrs, endpoint, madeAt, goneAt } = object;
  const digits = HEX_DIGITS[kind];
  const name = `${kind} ${digits === undefined ? number : hex(number, digits)}`;
  return (
    <li
      data-object={name}
      className={cn(
        'absolute inset-x-0 grid grid-cols-[6.5rem_1fr] sm:grid-cols-[7.5rem_1fr_auto] items-center gap-x-3 border-b px-3 text-13',
        goneAt !== null && 'text-ink-3',
      )}
      style={{ transform: `translateY(${top}px)`, height: ROW }}
    >
      <div className="min-w-0">
        <div className={cn('num truncate text-12', goneAt === null && 'font-semibold')}>{name}</div>
        <div className="num truncate text-12 text-ink-3">{endpoint}</div>
      </div>
      <div className="min-w-0">
        <div className="num truncate text-12">{headline(object)}</div>
        <div className="num truncate text-12 text-ink-3" title={rest({ ...attrs, ...object.connection })}>
          {kind === 'QP' ? <States object={object} /> : `${keyText(object)}${rest(attrs)}`}
        </div>
      </div>
      <div className="num text-right text-12 text-ink-3 max-sm:hidden">
        <div>from {seconds(madeAt)}</div>
        <div>{goneAt !== null ? `to ${seconds(goneAt)}` : over ? 'leaked' : 'live'}</div>
      </div>
    </li>
  );
}

/** Access rights of a region. Without any, only the local device may read it. */
const accessText = (access: unknown): string =>
  Array.isArray(access) && access.length === 0 ? 'access none' : showValue(access);

/** Most important attributes of an object. */
function headline({ kind, attrs, call, connection }: ProgramObject): string {
  switch (kind) {
    case 'MR':
      return `${text(bytes(Number(attrs.length)))}, ${accessText(attrs.access)}`;
    case 'CQ':
      return `depth ${count(Number(attrs.cqe))}`;
    case 'SRQ':
      return `depth ${count(Number(attrs.max_wr))}`;
    case 'MW':
      return `type ${showValue(attrs.type)}`;
    case 'AH':
      return showValue(attrs.dgid);
    case 'QP': {
      const peer = connection.dest_qp_num;
      const to =
        peer === undefined ? '' : ` to QP ${qpnText(Number(peer))} at ${showValue(connection.dgid ?? '')}`;
      return `${showValue(attrs.type)}${to}, send queue ${showValue(attrs.max_send_wr)}, receive queue ${showValue(attrs.max_recv_wr)}`;
    }
    default:
      return call;
  }
}

/**
 * Note on the name of a region, which is the key that both sides use, or of a window, which is the key of the remote
 * side.
 */
const keyText = ({ kind }: ProgramObject): string =>
  kind === 'MR' ? 'named by its lkey and rkey, ' : kind === 'MW' ? 'named by its rkey, ' : '';

const rest = (attrs: Readonly<Record<string, unknown>>): string =>
  Object.entries(attrs)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => `${name} ${showValue(value, name)}`)
    .join(', ');

/** States of a QP in order; the last one is the current state. */
function States({ object }: { object: ProgramObject }) {
  const last = object.states.length - 1;
  return object.states.map(({ state }, i) => (
    <span key={i}>
      {i > 0 ? ' → ' : ''}
      <span
        className={cn(
          i === last && object.goneAt === null && 'font-semibold',
          state === 'ERR' ? 'text-error-ink' : i === last && object.goneAt === null && 'text-ink',
        )}
      >
        {state}
      </span>
    </span>
  ));
}

const seconds = (ns: number): string => `${(ns / 1e9).toFixed(3)} s`;
