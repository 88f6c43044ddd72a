import { argumentError } from './errors.js';

/** Memory to register, in the addon's format: a number of bytes to allocate, or a view of the caller's memory. */
export function toMemory(
  call: string,
  memory: unknown,
  limit: bigint,
  hugePages: boolean,
): number | Uint8Array {
  const refuse = (why: string, hint: string): never => {
    throw argumentError(call, 'memory', why, hint);
  };
  if (typeof memory === 'number') {
    if (!Number.isInteger(memory) || memory < 1)
      return refuse(`${memory} bytes cannot be registered`, 'Register 1 byte or more.');
    if (BigInt(memory) > limit)
      return refuse(
        `${memory} bytes are more than the device takes in one region (${limit})`,
        'Register less memory, or several regions.',
      );
    return memory;
  }
  if (hugePages)
    return refuse(
      'memory of yours is where it is',
      'Give a number of bytes to have memory allocated in huge pages.',
    );
  const view = viewOf(memory);
  if (view === undefined)
    return refuse(
      `a value of type ${typeof memory} is not memory`,
      'Give a number of bytes, an ArrayBuffer, or a view such as a Buffer.',
    );
  if (isResizable(view.buffer)) return refuse('its ArrayBuffer can be resized', 'Use one of a fixed length.');
  if (view.byteLength === 0) return refuse('0 bytes cannot be registered', 'Register 1 byte or more.');
  return view;
}

function viewOf(memory: unknown): Uint8Array | undefined {
  if (memory instanceof ArrayBuffer) return new Uint8Array(memory);
  if (!ArrayBuffer.isView(memory)) return undefined;
  return new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength);
}

/** True for a resizable buffer. `resizable` is ES2024: Node 20 has it, the ES2023 types do not. */
const isResizable = (buffer: ArrayBufferLike): boolean =>
  buffer instanceof ArrayBuffer && (buffer as { resizable?: boolean }).resizable === true;
