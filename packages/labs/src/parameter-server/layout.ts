/** Layout of the memory of server and workers, of chunks and of immediates. Pure functions. */
import type { ParameterServerParams } from './params.js';

type Shape = Pick<ParameterServerParams, 'layers' | 'width' | 'chunks' | 'workers'>;

export const FLOAT = 4;
/** {layer_id u32, offset u32}, least significant byte first, in front of the gradients. */
export const CHUNK_HEADER = 8;
const STEP_BITS = 16;
const STEPS = 2 ** STEP_BITS;

/** The model as a worker READs it: the version, the last step of each worker that is in it, and the parameters. */
export interface Model {
  version: number;
  /** Last steps, by the number of the worker; 0 before its first. */
  applied: number[];
  parameters: Float32Array;
}

export const parametersOf = ({ layers, width }: Shape): number => layers * width;
const headerOf = ({ workers }: Shape): number => FLOAT * (1 + workers);
export const modelBytes = (shape: Shape): number => headerOf(shape) + FLOAT * parametersOf(shape);

/** A chunk: parameters `from` to `from + count` of the model. */
export interface Chunk {
  layer: number;
  /** Offset of the first parameter in the layer. */
  offset: number;
  count: number;
  /** Offset of the header in the memory for one push, bytes. */
  place: number;
  bytes: number;
}

/** The chunks of a push, in the order in which they are posted. A layer may have fewer if it cannot be cut so often. */
export function chunksOf({ layers, width, chunks }: Shape): Chunk[] {
  const most = Math.ceil(width / chunks);
  const all: Chunk[] = [];
  let place = 0;
  for (let layer = 0; layer < layers; layer++)
    for (let offset = 0; offset < width; offset += most) {
      const count = Math.min(most, width - offset);
      const bytes = CHUNK_HEADER + FLOAT * count;
      all.push({ layer, offset, count, place, bytes });
      place += bytes;
    }
  return all;
}

export const pushBytes = (shape: Shape): number => chunksOf(shape).reduce((sum, { bytes }) => sum + bytes, 0);

/** The step in the upper 16 bits, the number of the chunk in the lower ones. */
export const immediateOf = (step: number, chunk: number): number => (step % STEPS) * STEPS + chunk;
export const stepOf = (immediate: number): number => Math.floor(immediate / STEPS);
export const chunkOf = (immediate: number): number => immediate % STEPS;

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

export function encodeModel(shape: Shape, { version, applied, parameters }: Model): Uint8Array {
  const bytes = new Uint8Array(modelBytes(shape));
  const view = viewOf(bytes);
  view.setUint32(0, version, true);
  applied.forEach((step, worker) => view.setUint32(FLOAT * (1 + worker), step, true));
  parameters.forEach((value, i) => view.setFloat32(headerOf(shape) + FLOAT * i, value, true));
  return bytes;
}

export function decodeModel(shape: Shape, bytes: Uint8Array): Model {
  const view = viewOf(bytes);
  const word = (i: number): number => view.getUint32(FLOAT * i, true);
  return {
    version: word(0),
    applied: Array.from({ length: shape.workers }, (_, worker) => word(1 + worker)),
    parameters: Float32Array.from({ length: parametersOf(shape) }, (_, i) =>
      view.getFloat32(headerOf(shape) + FLOAT * i, true),
    ),
  };
}

export function encodePush(shape: Shape, gradient: Float32Array): Uint8Array {
  const bytes = new Uint8Array(pushBytes(shape));
  const view = viewOf(bytes);
  for (const { layer, offset, count, place } of chunksOf(shape)) {
    view.setUint32(place, layer, true);
    view.setUint32(place + FLOAT, offset, true);
    const from = layer * shape.width + offset;
    for (let i = 0; i < count; i++)
      view.setFloat32(place + CHUNK_HEADER + FLOAT * i, gradient[from + i]!, true);
  }
  return bytes;
}

/** A push as the server’s program finds it. */
export interface Pushed {
  gradient: Float32Array;
  /** Headers of the chunks. */
  headers: { layer: number; offset: number }[];
  /** Chunks whose header names another place than their number. */
  wrong: number;
}

/** Puts every chunk in place whose header agrees with its number. Counts the others. */
export function decodePush(shape: Shape, bytes: Uint8Array): Pushed {
  const view = viewOf(bytes);
  const pushed: Pushed = { gradient: new Float32Array(parametersOf(shape)), headers: [], wrong: 0 };
  for (const { layer, offset, count, place } of chunksOf(shape)) {
    const header = { layer: view.getUint32(place, true), offset: view.getUint32(place + FLOAT, true) };
    pushed.headers.push(header);
    if (header.layer !== layer || header.offset !== offset) {
      pushed.wrong++;
      continue;
    }
    for (let i = 0; i < count; i++)
      pushed.gradient[layer * shape.width + offset + i] = view.getFloat32(
        place + CHUNK_HEADER + FLOAT * i,
        true,
      );
  }
  return pushed;
}
