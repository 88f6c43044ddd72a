/** Refusals and stops of a server in remote execution, each as a mistake of the client’s program. */
import { LAMBDA_IMAGE } from '@verbslab/protocol';
import * as hostile from '../../lambda/hostile.js';
import type { FailureCase } from '../case.js';
import { GOOD, lambdaCase, LIMITS } from '../lambda-case.js';

export const LAMBDA_CASES: readonly FailureCase[] = [
  lambdaCase({
    id: 'lambda-unsigned',
    name: 'A shipped function without a signature',
    cause: 'The client ships the function before it has signed it: the signature is all zero.',
    explanation:
      'A server that runs unsigned code runs the code of whoever got an rkey. It refuses the function before it looks at it.',
    fix: 'Sign the image, and ship it after that.',
    code: 'LAMBDA_UNSIGNED',
    spoil: (image) => void image.fill(0, LAMBDA_IMAGE.signature, LAMBDA_IMAGE.module),
  }),
  lambdaCase({
    id: 'lambda-altered',
    name: 'A shipped function changed after it was signed',
    cause: 'The client patches one bit of the module between the signature and the WRITE.',
    explanation:
      'The signature covers every byte. The transport’s ICRC finds no fault, since the bytes arrived as they were sent. A buffer that is reused before the WRITE has completed looks the same.',
    fix: 'Sign last, and leave the buffer alone until the completion.',
    code: 'LAMBDA_ALTERED',
    spoil: (image) => void (image[image.length - 1]! ^= 1),
  }),
  lambdaCase({
    id: 'lambda-stranger',
    name: 'A shipped function signed with an untrusted key',
    cause: 'The client signs with a new key that the server was never given.',
    explanation:
      'The signature is right, but it proves only who signed. The server does not know this signer.',
    fix: 'Give the server the public key over a channel that it trusts, or sign with the old key.',
    code: 'LAMBDA_UNKNOWN_SIGNER',
    signer: 'stranger',
  }),
  lambdaCase({
    id: 'lambda-not-module',
    name: 'A shipped function that is no WebAssembly module',
    cause: 'The client signs and ships the source text instead of the compiled module.',
    explanation:
      'The signature is right and the signer is trusted. The bytes are no module, so nothing can be compiled.',
    fix: 'Ship the .wasm file that the compiler wrote.',
    code: 'LAMBDA_NOT_MODULE',
    module: hostile.notModule,
  }),
  lambdaCase({
    id: 'lambda-imports',
    name: 'A shipped function that imports another function',
    cause: 'The module imports env.abort, as compilers add it by default.',
    explanation:
      'Everything that a module can do outside its memory comes through imports. The sandbox offers one memory and no function, so the module is refused before it runs.',
    fix: 'Compile without a runtime, so that only env.memory is imported.',
    code: 'LAMBDA_IMPORTS',
    module: hostile.importing('abort'),
  }),
  lambdaCase({
    id: 'lambda-memory',
    name: 'A shipped function that declares too much memory',
    cause: 'The module declares 1 GiB of initial memory.',
    explanation: `The server allows ${LIMITS.memoryBytes / 2 ** 20} MiB. The size stands in the module, so it is refused before any memory is taken.`,
    fix: 'Lower the initial memory of the module.',
    code: 'LAMBDA_MEMORY',
    module: hostile.declaring(hostile.TOO_MUCH_MEMORY),
  }),
  lambdaCase({
    id: 'lambda-loop',
    name: 'A shipped function that never ends',
    cause: 'The end of the loop is never reached.',
    explanation: `No check can find every endless loop before it runs. The server gives a function ${LIMITS.timeMs} ms and then ends its thread. Its memory and the connection are not affected.`,
    fix: 'Correct the condition of the loop.',
    code: 'LAMBDA_TIME',
    module: hostile.looping,
  }),
  lambdaCase({
    id: 'lambda-trap',
    name: 'A shipped function that reads beyond its memory',
    cause: 'The function computes a wrong address and loads from it.',
    explanation:
      'WebAssembly compares each address with the size of its memory. Beyond it, the function traps and ends. It cannot reach the memory of the server’s process.',
    fix: 'Stay between input and input + inputBytes.',
    code: 'LAMBDA_TRAP',
    module: hostile.straying,
  }),
  lambdaCase({
    id: 'lambda-result',
    name: 'A shipped function that claims too much output',
    cause: `The function answers with a length of 1 GiB. The server has room for ${GOOD.outputBytes} B.`,
    explanation:
      'The length of the output is a number that the function made. A server that copied so many bytes would read far beyond the output, so it compares the number first.',
    fix: 'Answer with the number of bytes that were written, at most outputBytes.',
    code: 'LAMBDA_RESULT',
    module: hostile.claiming(1 << 30),
  }),
];
