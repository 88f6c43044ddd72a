/** The part of Node’s WebAssembly that the sandbox uses. Only the types of browsers declare it. */
/** Bytes of a WebAssembly page, like WASM_PAGE_BYTES of packages/protocol. */
export const PAGE_BYTES = 65_536;

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages. Throws RangeError beyond the maximum. */
  grow: (pages: number) => number;
}
/** A compiled module. */
export type WasmModule = object;

interface Engine {
  Module: new (bytes: Uint8Array) => WasmModule;
  Memory: new (pages: { initial: number; maximum: number }) => WasmMemory;
  Instance: new (
    module: WasmModule,
    imports: Record<string, Record<string, unknown>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}

export const { WebAssembly: engine } = globalThis as unknown as { WebAssembly: Engine };
