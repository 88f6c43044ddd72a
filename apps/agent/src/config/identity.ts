import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fingerprintOf } from '../base/pinned.js';
import type { Home } from './home.js';
import { storageError } from './storage.js';

/** The proof of an agent's identity: PEM texts, and the SHA-256 of the certificate (64 hex digits). */
export interface Identity {
  key: string;
  cert: string;
  fingerprint: string;
}

const YEARS = 30;

/**
 * The agent’s self-signed certificate, made once and kept in its data directory. Others pin it by its fingerprint, so
 * neither names nor dates in it decide anything.
 */
export async function loadIdentity(home: Home): Promise<Identity> {
  try {
    if (!existsSync(home.key) || !existsSync(home.certificate)) await create(home);
    chmodSync(home.key, 0o600);
    const cert = readFileSync(home.certificate, 'utf8');
    return {
      key: readFileSync(home.key, 'utf8'),
      cert,
      fingerprint: fingerprintOf(new X509Certificate(cert)),
    };
  } catch (error) {
    throw storageError(error, home.certificate);
  }
}

async function create(home: Home): Promise<void> {
  // The import is deferred: the package is needed once in the life of a data directory.
  const { generate } = (await import('selfsigned')).default;
  const notAfterDate = new Date();
  notAfterDate.setFullYear(notAfterDate.getFullYear() + YEARS);
  const { private: key, cert } = await generate([{ name: 'commonName', value: `Verbs Lab ${hostname()}` }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notAfterDate,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: hostname() }] },
    ],
  });
  writeFileSync(home.key, key, { mode: 0o600 });
  writeFileSync(home.certificate, cert, { mode: 0o600 });
}
