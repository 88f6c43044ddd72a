import { z } from 'zod';
import { op } from './endpoint-op.js';
import { handle } from './endpoint-work.js';
import { zCount } from './verbs.js';

/**
 * A lambda is a WebAssembly module that imports its memory as `env.memory` and exports
 * `run(input, inputBytes, output, outputBytes)`: four i32, the first and third are addresses in that memory. The result
 * is the number of output bytes. A peer writes the module into memory as a signed image:
 *
 * | offset | bytes | what                                                  |
 * | ------ | ----- | ----------------------------------------------------- |
 * | 0      | 4     | `VLF1`                                                |
 * | 4      | 4     | length of the module, little-endian                   |
 * | 8      | 32    | public key of the signer (Ed25519)                    |
 * | 40     | 64    | signature of the bytes 0 to 39 and of the module      |
 * | 104    |       | the module                                            |
 */
export const LAMBDA_IMAGE = { magic: 'VLF1', length: 4, key: 8, signature: 40, module: 104 } as const;

/** Largest module, bytes. Compilation cannot be interrupted, so the size must bound its time. */
export const LAMBDA_MODULE_BYTES = 256 * 1024;
/** Most memory of a lambda, bytes, whatever the caller allows. */
export const LAMBDA_MEMORY_BYTES = 64 * 1024 * 1024;
/** Longest time of a call, ms, whatever the caller allows. */
export const LAMBDA_TIME_MS = 10_000;
/** Size of a WebAssembly page, bytes. */
export const WASM_PAGE_BYTES = 64 * 1024;

/** A part of a region. */
const place = z.object({ mr: handle, offset: zCount, length: zCount });

const zKey = z.string().regex(/^[0-9a-f]{64}$/);

export const zLambdaLimits = z.object({
  /** Keys of signers whose modules may run. */
  trusted: z.array(zKey).max(16),
  memoryBytes: z.int().min(WASM_PAGE_BYTES).max(LAMBDA_MEMORY_BYTES),
  /** Time limit of loading, and of each call, ms. */
  timeMs: z.int().min(1).max(LAMBDA_TIME_MS),
});
export type LambdaLimits = z.infer<typeof zLambdaLimits>;

export const zLambdaImage = z.object({ image: place, ...zLambdaLimits.shape });
export const zLambdaPlaces = z.object({ input: place, output: place });

/** Functions of a peer that an endpoint runs, each in a sandbox. */
export const LAMBDA_OPS = {
  /** Signs a module with a key of this process. The `stranger` key is another key, to test the reaction of a target. */
  'lambda.sign': op(
    () =>
      z.object({
        module: z.base64().max(Math.ceil(LAMBDA_MODULE_BYTES / 3) * 4),
        signer: z.enum(['own', 'stranger']),
      }),
    () => z.object({ image: z.base64(), publicKey: zKey }),
  ),
  /**
   * Returns the module that VERBSLAB_MODULE named when the agent was started, a path on the endpoint’s host. Null:
   * none. Fails with SYSTEM, LIMIT.
   */
  'lambda.own': op(
    () => z.object({}),
    () => z.object({ module: z.base64().nullable() }),
  ),
  /**
   * Copies an image from memory, verifies it, and makes a sandbox with the module. Times in ns. Fails with a code
   * LAMBDA_….
   */
  'lambda.load': op(
    () => zLambdaImage,
    () => z.object({ lambda: handle, verifyNs: zCount, compileNs: zCount, moduleBytes: zCount }),
  ),
  /**
   * Runs the function once. `totalNs` includes the copies and the round trip to the sandbox. `bytes`: size of its
   * output. Fails with a code LAMBDA_….
   */
  'lambda.run': op(
    () => z.object({ lambda: handle, ...zLambdaPlaces.shape }),
    () => z.object({ bytes: zCount, runNs: zCount, totalNs: zCount, memoryBytes: zCount }),
  ),
  'lambda.unload': op(
    () => z.object({ lambda: handle }),
    () => z.object({}),
  ),
} as const;
