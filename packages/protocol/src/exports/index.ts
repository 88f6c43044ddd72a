import { bundle } from './bundle.js';
import { csv } from './csv.js';
import type { ExportFormat } from './format.js';
import { jsonl } from './jsonl.js';
import { pcapng } from './pcapng.js';
import { trace } from './trace.js';

export * from './format.js';
export * from './formats.js';
export { frameToJson } from './frame-json.js';

/** The formats of `FORMATS` with their writers. Reports are in packages/report. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [pcapng, csv, jsonl, trace, bundle];
