import { PROGRAM_VIEW, type EmittedEvent, type LabDescription, type RunRecord } from '@verbslab/protocol';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { RunSession } from '../../src/connection/run-sessions';
import type { RunView } from '../../src/connection/run-view';
import { RunModel } from '../../src/model/run-model';
import { Replaying } from '../../src/connection/replaying';
import type { PanelContentProps } from '../../src/parts/run/panel-content';
import { record, Stream } from '../stream';

/** Tests of a panel, by its id in the registry. */
export interface PanelTests {
  Content: ComponentType<PanelContentProps>;
  /** Lab of the empty panel, if it matters. */
  lab?: LabDescription;
  /** Texts before there is data, and after the end of a run without data. */
  empty: { running: string; done: string };
  /** Tests with data, live, full or failing, by the expectation. */
  cases: Readonly<Record<string, () => void>>;
}

interface Feed {
  events?: readonly EmittedEvent[];
  /** Binary frames from the same stream. */
  frames?: (stream: Stream) => readonly Uint8Array[];
  /** Fields of the run's record. */
  run?: Partial<RunRecord>;
}

/** Model of a run after these events and frames. */
export function fed({ events = [], frames, run = {} }: Feed): RunModel {
  const model = new RunModel(record(run));
  const stream = new Stream();
  for (const event of events) model.event(stream.event(event));
  for (const frame of frames?.(stream) ?? []) model.frame(frame);
  return model;
}

export const PROGRAM = { lab: 'program' } as const;

interface Look {
  table?: boolean;
  lab?: LabDescription;
  session?: Partial<RunSession>;
  /** True while records are still being loaded. */
  replaying?: boolean;
}

export function draw(Content: ComponentType<PanelContentProps>, model: RunModel, look: Look = {}): string {
  return renderToStaticMarkup(
    <Replaying value={look.replaying ?? false}>
      <Content
        view={{ model, paused: false } as RunView}
        session={(look.session ?? { state: 'live' }) as RunSession}
        lab={look.lab ?? PROGRAM_VIEW}
        table={look.table ?? false}
      />
    </Replaying>,
  );
}

/** Texts of the elements with this `data-shows`, in order. */
export function shows(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`data-shows="${name}"[^>]*>(.*?)</(?:span|div|p|td|li)>`, 'gs'))].map(
    ([, inner]) => plain(inner!),
  );
}

export const plain = (html: string): string =>
  html
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\u00a0/g, ' ')
    .trim();

/** Cells of the first table, row by row; the first row is its heading. */
export function rows(html: string): string[][] {
  const table = /<table.*?<\/table>/s.exec(html)?.[0] ?? '';
  return [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => plain(cell!)),
  );
}
