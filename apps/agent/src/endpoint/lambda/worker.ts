/**
 * The sandbox: a thread that has one module at a time. The module can reach its memory and nothing else; the thread
 * that started this one ends it when it takes too long.
 */
import { parentPort } from 'node:worker_threads';
// Only types are imported: any other import makes each start of the thread slower.
import type { ErrorCode, ErrorParams } from '@verbslab/protocol';
import { engine, PAGE_BYTES, type WasmMemory, type WasmModule } from './engine.js';
import { inspect, type Inspected } from './inspect.js';
import { READY, type FromSandbox, type ToSandbox } from './messages.js';

const RUN_PARAMETERS = 4;
/** A function needs a table for indirect calls only. */
const TABLE_ENTRIES = 65_536;

interface Loaded {
  memory: WasmMemory;
  run: (...args: number[]) => number;
  /** Pages that the module declares; its input lies behind them. */
  ownPages: number;
  maximumPages: number;
}

class Refused extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly params: ErrorParams = {},
  ) {
    super(code);
  }
}

const mib = (pages: number): string => `${(pages * PAGE_BYTES) / 2 ** 20} MiB`;

let loaded: Loaded | undefined;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function compile(bytes: Uint8Array): WasmModule {
  try {
    return new engine.Module(bytes);
  } catch (error) {
    throw new Refused('LAMBDA_NOT_MODULE', {
      detail: wordsOf(error).replace(/^WebAssembly\.Module\(\): /, ''),
    });
  }
}

function examine(
  { imports, memory, unusualMemory, ownMemories, tables }: Inspected,
  maximumPages: number,
): number {
  const other = imports.find(({ name, kind }) => name !== 'env.memory' || kind !== 'memory');
  if (other) throw new Refused('LAMBDA_IMPORTS', { import: `the ${other.kind} ${other.name}` });
  if (unusualMemory) throw new Refused('LAMBDA_IMPORTS', { import: 'a shared or 64-bit memory' });
  if (!memory || ownMemories > 0)
    throw new Refused('LAMBDA_IMPORTS', { import: 'no memory, or has one of its own' });
  if (memory.min > maximumPages)
    throw new Refused('LAMBDA_MEMORY', { needed: mib(memory.min), limit: mib(maximumPages) });
  for (const { min, max } of tables)
    if (Math.max(min, max ?? Infinity) > TABLE_ENTRIES)
      throw new Refused('LAMBDA_MEMORY', {
        needed: `a table of ${max ?? 'any number of'} entries`,
        limit: `${TABLE_ENTRIES} entries`,
      });
  return memory.min;
}

function load(bytes: Uint8Array, memoryBytes: number): void {
  loaded = undefined;
  const module = compile(bytes);
  const maximumPages = Math.floor(memoryBytes / PAGE_BYTES);
  const inspected = inspect(bytes);
  const ownPages = examine(inspected, maximumPages);
  const most = Math.min(maximumPages, inspected.memory?.max ?? maximumPages);
  let memory: WasmMemory;
  try {
    memory = new engine.Memory({ initial: ownPages, maximum: most });
  } catch (error) {
    throw new Refused('LAMBDA_MEMORY', { needed: mib(ownPages), limit: wordsOf(error) });
  }
  const run = instantiate(module, memory);
  if (typeof run !== 'function' || run.length !== RUN_PARAMETERS) throw new Refused('LAMBDA_EXPORTS');
  loaded = { memory, run: run as Loaded['run'], ownPages, maximumPages: most };
}

/** Runs its start function, too. */
function instantiate(module: WasmModule, memory: WasmMemory): unknown {
  try {
    return new engine.Instance(module, { env: { memory } }).exports.run;
  } catch (error) {
    throw trapOf(error);
  }
}

function trapOf(error: unknown): Refused {
  return new Refused('LAMBDA_TRAP', { detail: wordsOf(error).replace(/^WebAssembly\.Instance\(\): /, '') });
}

const pagesOf = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES);

/** Copies the input behind the module's own pages, calls it, and copies its output back. */
function run(
  shared: SharedArrayBuffer,
  inputBytes: number,
  outputBytes: number,
): { elapsedNs: number; bytes: number } {
  if (!loaded) throw new Refused('LAMBDA_EXPORTS');
  const { memory, ownPages, maximumPages } = loaded;
  const input = ownPages * PAGE_BYTES;
  const output = input + pagesOf(inputBytes) * PAGE_BYTES;
  const needed = ownPages + pagesOf(inputBytes) + pagesOf(outputBytes);
  if (needed > maximumPages)
    throw new Refused('LAMBDA_MEMORY', { needed: mib(needed), limit: mib(maximumPages) });
  const missing = needed - memory.buffer.byteLength / PAGE_BYTES;
  if (missing > 0) memory.grow(missing);
  const outside = new Uint8Array(shared);
  new Uint8Array(memory.buffer).set(outside.subarray(0, inputBytes), input);
  const begun = process.hrtime.bigint();
  let bytes: unknown;
  try {
    bytes = loaded.run(input, inputBytes, output, outputBytes);
  } catch (error) {
    throw trapOf(error);
  }
  const elapsedNs = Number(process.hrtime.bigint() - begun);
  if (typeof bytes !== 'number' || bytes < 0 || bytes > outputBytes)
    throw new Refused('LAMBDA_RESULT', { bytes: String(bytes), room: outputBytes });
  // The call may have grown the memory, which makes a new buffer.
  outside.set(new Uint8Array(memory.buffer, output, bytes), inputBytes);
  return { elapsedNs, bytes };
}

function obey(message: Exclude<ToSandbox, { do: 'reset' }>): FromSandbox {
  const begun = process.hrtime.bigint();
  let found = { elapsedNs: 0, bytes: 0 };
  try {
    if (message.do === 'load') load(message.module, message.memoryBytes);
    else found = run(message.shared, message.inputBytes, message.outputBytes);
  } catch (error) {
    if (error instanceof Refused) return { done: false, code: error.code, params: error.params };
    return { done: false, code: 'LAMBDA_TRAP', params: { detail: wordsOf(error) } };
  }
  if (message.do === 'load') found.elapsedNs = Number(process.hrtime.bigint() - begun);
  return { done: true, ...found, memoryBytes: loaded?.memory.buffer.byteLength ?? 0 };
}

parentPort!.on('message', (message: ToSandbox) => {
  if (message.do === 'reset') loaded = undefined;
  else parentPort!.postMessage(obey(message));
});

parentPort!.postMessage(READY);
