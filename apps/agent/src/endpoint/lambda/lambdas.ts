/** The functions that an endpoint has loaded, each in a sandbox of its own. */
import { AppError, type LambdaLimits } from '@verbslab/protocol';
import { elapsedSince } from '../polling.js';
import { newSigner, openImage, type Signer } from './image.js';
import { Sandbox, type Ran } from './sandbox.js';

/** Threads that one endpoint may have for loaded functions. */
const MOST = 8;

export interface Lambda {
  sandbox: Sandbox;
  timeMs: number;
}

export interface Loaded extends Lambda {
  verifyNs: number;
  compileNs: number;
  moduleBytes: number;
}

export class Lambdas {
  /** A free thread for the next function, since starting one takes tens of milliseconds. */
  #spare: Sandbox | undefined;
  #inUse = 0;
  readonly #signers: Partial<Record<'own' | 'stranger', Signer>> = {};

  signer(which: 'own' | 'stranger'): Signer {
    return (this.#signers[which] ??= newSigner());
  }

  /** Loads the function of an image. Throws AppError LAMBDA_…, and LIMIT. */
  async load(image: Uint8Array, { trusted, memoryBytes, timeMs }: LambdaLimits): Promise<Loaded> {
    if (this.#inUse >= MOST)
      throw new AppError('LIMIT', {
        what: 'Loaded functions of one endpoint',
        value: this.#inUse + 1,
        limit: MOST,
      });
    const begun = process.hrtime.bigint();
    const module = openImage(image, trusted);
    const verifyNs = elapsedSince(begun);
    const sandbox = this.#spare?.usable ? this.#spare : new Sandbox();
    this.#spare = undefined;
    this.#inUse++;
    const lambda = { sandbox, timeMs };
    try {
      const compileNs = await sandbox.load(module, memoryBytes, timeMs);
      return { ...lambda, verifyNs, compileNs, moduleBytes: module.length };
    } catch (error) {
      await this.unload(lambda);
      throw error;
    }
  }

  run = ({ sandbox, timeMs }: Lambda, input: Uint8Array, output: Uint8Array): Promise<Ran> =>
    sandbox.run(input, output, timeMs);

  async unload({ sandbox }: Lambda): Promise<void> {
    this.#inUse--;
    if (!sandbox.usable) return;
    if (this.#spare) await sandbox.end();
    else {
      sandbox.reset();
      this.#spare = sandbox;
    }
  }
}
