import { csv } from './csv.js';
import type { ExportFormat } from './format.js';
import { jsonl } from './jsonl.js';
import { pcapng } from './pcapng.js';
import { trace } from './trace.js';

export * from './format.js';
export { frameToJson } from './frame-json.js';

/** Every format that a run can be exported in, in the order that lists show them. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [pcapng, csv, jsonl, trace];
