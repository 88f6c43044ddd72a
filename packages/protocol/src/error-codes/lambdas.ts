// Reasons why an endpoint does not run, or stops, a function that a peer has written into its memory.
import type { ErrorTable } from './entry.js';

export const lambdas = {
  LAMBDA_UNSIGNED: {
    http: 403,
    message: 'The function was refused: it has no signature.',
    cure: 'Sign the module with a key that the target trusts.',
  },
  LAMBDA_ALTERED: {
    http: 403,
    message: 'The function was refused: its bytes do not match its signature.',
    cure: 'Send it again. If that fails too, something changes it after it was signed.',
  },
  LAMBDA_UNKNOWN_SIGNER: {
    http: 403,
    message: 'The function was refused: the target does not trust the key {key}….',
    cure: 'Sign with a trusted key, or add this key to those that the target trusts.',
  },
  LAMBDA_NOT_MODULE: {
    http: 400,
    message: 'The function was refused: it is no valid WebAssembly module ({detail}).',
    cure: 'Compile it to WebAssembly (.wasm), not to a native library or to text.',
  },
  LAMBDA_IMPORTS: {
    http: 403,
    message: 'The function was refused: it imports {import}.',
    cure: 'Import only env.memory. A function in the sandbox can call nothing outside.',
  },
  LAMBDA_EXPORTS: {
    http: 400,
    message: 'The function was refused: it exports no function “run” with four parameters.',
    cure: 'Export run(input, inputBytes, output, outputBytes).',
  },
  LAMBDA_MEMORY: {
    http: 403,
    message: 'The function was refused: it needs {needed} of memory (limit {limit}).',
    cure: 'Let the module declare less memory, give it less input, or raise the limit.',
  },
  LAMBDA_TIME: {
    http: 504,
    message: 'The function was stopped: it ran longer than {limitMs} ms.',
    cure: 'Look for a loop without end, or raise the limit.',
  },
  LAMBDA_TRAP: {
    http: 400,
    message: 'The function trapped: {detail}.',
    cure: 'Check its addresses, divisions and depth of recursion.',
  },
  LAMBDA_RESULT: {
    http: 400,
    message: 'The function claims {bytes} bytes of output (room for {room}).',
    cure: 'Answer with the bytes written at output, at most outputBytes.',
  },
} as const satisfies ErrorTable;
