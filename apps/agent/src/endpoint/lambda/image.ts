/** Signed images of functions, as LAMBDA_IMAGE of packages/protocol describes them. */
import { createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { AppError, LAMBDA_IMAGE, LAMBDA_MODULE_BYTES } from '@verbslab/protocol';

const { magic, length, key: keyAt, signature: signatureAt, module: moduleAt } = LAMBDA_IMAGE;
/** Bytes before a raw Ed25519 key in its SPKI form (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

export interface Signer {
  /** Raw, as hex. */
  publicKey: string;
  privateKey: KeyObject;
}

export function newSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return { publicKey: spki.subarray(SPKI_HEAD.length).toString('hex'), privateKey };
}

const signed = (image: Buffer): Buffer =>
  Buffer.concat([image.subarray(0, signatureAt), image.subarray(moduleAt)]);

export function signImage(module: Uint8Array, { publicKey, privateKey }: Signer): Buffer {
  const image = Buffer.alloc(moduleAt + module.length);
  image.write(magic, 0, 'latin1');
  image.writeUInt32LE(module.length, length);
  image.write(publicKey, keyAt, 'hex');
  image.set(module, moduleAt);
  image.set(sign(null, signed(image), privateKey), signatureAt);
  return image;
}

/**
 * Returns the module of an image whose signature is right. Works on a copy, since the peer can change the memory at any
 * time. Throws AppError LAMBDA_UNSIGNED, LAMBDA_UNKNOWN_SIGNER, LAMBDA_ALTERED, LAMBDA_NOT_MODULE.
 */
export function openImage(memory: Uint8Array, trusted: readonly string[]): Buffer {
  const image = Buffer.from(memory);
  if (image.length < moduleAt || image.toString('latin1', 0, magic.length) !== magic)
    throw new AppError('LAMBDA_UNSIGNED');
  const bytes = image.readUInt32LE(length);
  if (bytes > LAMBDA_MODULE_BYTES || moduleAt + bytes > image.length)
    throw new AppError('LAMBDA_NOT_MODULE', { detail: `its header claims ${bytes} bytes` });
  const signature = image.subarray(signatureAt, moduleAt);
  if (signature.every((byte) => byte === 0)) throw new AppError('LAMBDA_UNSIGNED');
  const raw = image.subarray(keyAt, signatureAt);
  const name = raw.toString('hex');
  if (!trusted.includes(name)) throw new AppError('LAMBDA_UNKNOWN_SIGNER', { key: name.slice(0, 8) });
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });
  const whole = image.subarray(0, moduleAt + bytes);
  if (!verify(null, signed(whole), key, signature)) throw new AppError('LAMBDA_ALTERED');
  return whole.subarray(moduleAt);
}
