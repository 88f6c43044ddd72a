import { AppError } from '../errors.js';
import { zBundleSeal, type Digest, type Pack } from './format.js';
import { readJson } from './items.js';

export const changed = (detail: string): AppError => new AppError('BUNDLE_CHANGED', { detail });

/** Digests of the received parts of a bundle, to compare with its seal. */
export class Tally {
  readonly #manifest: Digest;
  readonly #stream: Digest;
  readonly #capture: Digest;
  items = 0;
  captureBytes = 0;

  constructor({ sha256 }: Pack, manifest: Uint8Array) {
    this.#manifest = sha256();
    this.#stream = sha256();
    this.#capture = sha256();
    this.#manifest.update(manifest);
  }

  /** Adds an event or a frame with the header of its item. */
  item(header: Uint8Array, bytes: Uint8Array): void {
    this.items++;
    this.#stream.update(header);
    this.#stream.update(bytes);
  }

  capture(bytes: Uint8Array): void {
    this.captureBytes += bytes.length;
    this.#capture.update(bytes);
  }

  /** Compares with the seal. Throws AppError BUNDLE_CHANGED. */
  check(seal: Uint8Array): void {
    const { manifest, stream, capture } = readJson(seal, zBundleSeal, 'the seal').value;
    const differ = (what: string): AppError => changed(`the SHA-256 of its ${what} does not match`);
    if (this.#manifest.hex() !== manifest) throw differ('manifest');
    if (this.items !== stream.items || this.#stream.hex() !== stream.sha256) throw differ('events');
    const bytes = capture?.bytes ?? 0;
    if (this.captureBytes !== bytes || (capture && this.#capture.hex() !== capture.sha256))
      throw differ('capture');
  }
}
