import { createReadStream, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { AppError, describedBy, isProgram, peerRuns, type RunRecord } from '@verbslab/protocol';
import {
  EXPORT_FORMATS,
  frameToJson,
  type ExportFormat,
  type ExportSource,
} from '@verbslab/protocol/exports';
import { REPORT_FORMATS } from '@verbslab/report';
import { VERSION } from '../config/version.js';
import type { RunManager } from '../runs/manager.js';
import type { Notebook } from '../runs/notebook.js';
import { nodePack } from '../base/node-compression.js';
import type { StreamItem } from '../store/stream-item.js';
import type { StreamReader } from '../store/stream-reader.js';

/** Version of the JSON file. A new one means that readers of the file have to change. */
const JSON_VERSION = 1;

/** A run with its whole stream as one JSON object, an event per line, in pieces: the run may be larger than memory. */
export function* wholeRunJson(run: RunRecord, reader: StreamReader): Generator<string> {
  yield `{"format":${JSON_VERSION},"run":${JSON.stringify(run)},\n"events":[`;
  let separator = '\n';
  for (let item = reader.next(); item; item = reader.next()) {
    if (item.seq === 0) continue;
    yield separator + (item.json ?? JSON.stringify(frameToJson(item.frame!)));
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** Bytes of a stream read per turn of the event loop: a format may use few of them. */
const TURN_BYTES = 1024 * 1024;

async function* itemsOf(reader: StreamReader): AsyncGenerator<StreamItem> {
  let bytes = 0;
  for (let item = reader.next(); item; item = reader.next()) {
    yield item;
    bytes += item.json?.length ?? item.frame!.length;
    if (bytes < TURN_BYTES) continue;
    bytes = 0;
    await setImmediate();
  }
}

/** Bytes that a capture file has now. The file is opened at the first request for bytes. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file, { end: Math.max(0, statSync(file).size - 1) }) as AsyncIterable<Buffer>;
}

const KNOWN: readonly ExportFormat[] = [...EXPORT_FORMATS, ...REPORT_FORMATS];

/** Finds a format. Throws AppError UNKNOWN_FORMAT. */
export function exportFormat(id: string): ExportFormat {
  const format = KNOWN.find((one) => one.id === id);
  if (format) return format;
  throw new AppError('UNKNOWN_FORMAT', { format: id, known: KNOWN.map((one) => one.id).join(', ') });
}

/** Largest distance in the list between programs that talk to each other: they start together. */
const NEAR_RUNS = 32;

function peersOf(manager: RunManager, run: RunRecord): string[] {
  const near = { limit: 2 * NEAR_RUNS, before: run.number + NEAR_RUNS };
  return isProgram(run) ? peerRuns(run, manager.list(near).runs).map(({ id }) => id) : [];
}

/** The source of a run for an exporter. Throws AppError UNKNOWN_RUN. */
export function exportSource(manager: RunManager, notebook: Notebook, id: string): ExportSource {
  const { record, reader } = manager.read(id, 1);
  return {
    run: record,
    items: () => itemsOf(reader),
    capture: () => bytesOf(manager.captureFile(id)),
    host: manager.host,
    version: VERSION,
    peers: () => peersOf(manager, record),
    notebook: () => notebook.of(id),
    lab: () => describedBy(manager.labs, record) ?? null,
    pack: nodePack,
  };
}
