import { AppError, issueText, zRunRecord, type RunRecord } from '@verbslab/protocol';
import { z } from 'zod';
import type { RunRow } from './schema.js';

/** Reads a row. Throws AppError RUN_UNREADABLE. */
export function readRow(row: RunRow): RunRecord {
  try {
    return toRecord(row);
  } catch (error) {
    const detail = error instanceof z.ZodError ? issueText(error) : (error as Error).message;
    throw new AppError('RUN_UNREADABLE', { run: row.number, detail }, { cause: error });
  }
}

export function isReadable(row: RunRow): boolean {
  try {
    readRow(row);
    return true;
  } catch {
    return false;
  }
}

function toRecord(row: RunRow): RunRecord {
  const json = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return zRunRecord.parse({
    id: row.id,
    number: row.number,
    lab: row.lab,
    title: row.title,
    mode: row.mode,
    state: row.state,
    parameters: json(row.parameters_json),
    ...(row.sweep_json === null ? {} : { sweep: json(row.sweep_json) }),
    ...(row.imported_json === null ? {} : { imported: json(row.imported_json) }),
    ...(row.clock_json === null ? {} : { clock: json(row.clock_json) }),
    ...(row.parts_json === null ? {} : { parts: json(row.parts_json) }),
    ...(row.part_of_json === null ? {} : { partOf: json(row.part_of_json) }),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    waitingFor: null,
    progress: null,
    lastSeq: row.last_seq,
    recordedBytes: row.recorded_bytes,
    droppedRecords: row.dropped_records,
    capture: json(row.capture_json),
    result: json(row.result_json),
    error: json(row.error_json),
  });
}

/**
 * Columns that may change during a run, except those of the stream. A row names the capture file without its folder.
 */
export const changingColumns = (
  { title, state, startedAt, endedAt, capture, result, error }: RunRecord,
  captureFile: string | null,
) => ({
  title,
  state,
  started_at: startedAt,
  ended_at: endedAt,
  capture_json: capture && JSON.stringify(capture),
  result_json: result && JSON.stringify({ ...result, captureFile }),
  error_json: error && JSON.stringify(error),
});
