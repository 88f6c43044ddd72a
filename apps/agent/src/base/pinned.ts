import type { ClientRequestArgs } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { X509Certificate } from 'node:crypto';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { AppError } from '@verbslab/protocol';

/** Time for connecting and TLS together. */
const HANDSHAKE_MS = 5_000;

/** SHA-256 of a certificate, 64 hex digits. */
export function fingerprintOf(cert: X509Certificate): string {
  return cert.fingerprint256.replaceAll(':', '').toLowerCase();
}

type CreateConnection = NonNullable<ClientRequestArgs['createConnection']>;

/**
 * Connects by TLS to the one agent whose certificate has this fingerprint. No authority is asked and no name is
 * compared: the fingerprint decides. The socket is handed over only after the check, so nothing, not even the token,
 * reaches another program; otherwise the request fails with PEER_UNTRUSTED.
 */
export function pinned(fingerprint: string, address: string): CreateConnection {
  return (options, done) => {
    const socket: TLSSocket = connect({
      ...(options as ConnectionOptions),
      // The request’s path, which connect would take for that of a Unix socket.
      path: undefined,
      servername: isIP(options.host ?? '') ? '' : (options.host ?? ''),
      rejectUnauthorized: false,
      minVersion: 'TLSv1.3',
    });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      done(error, socket);
    };
    const timer = setTimeout(() => fail(new Error('it does not answer')), HANDSHAKE_MS);
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      const { raw } = socket.getPeerCertificate();
      const found = raw ? fingerprintOf(new X509Certificate(raw)) : 'none';
      if (found !== fingerprint) {
        const short = (text: string): string => `${text.slice(0, 16)}…`;
        fail(new AppError('PEER_UNTRUSTED', { address, found: short(found), wanted: short(fingerprint) }));
        return;
      }
      clearTimeout(timer);
      socket.off('error', fail);
      done(null, socket);
    });
    return undefined;
  };
}

/** GET of a small JSON document from the agent whose certificate has this fingerprint. */
export function getJson(url: string, fingerprint: string, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, {
      createConnection: pinned(fingerprint, new URL(url).host),
      timeout: timeoutMs,
    });
    request.on('timeout', () => request.destroy(new Error('it does not answer')));
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', reject);
      response.on('end', () => {
        try {
          resolve(JSON.parse(text));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    request.end();
  });
}
