import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AppError, parseJson, zErrorInfo, zRunRecord, type RunRecord } from '@verbslab/protocol';
import { z } from 'zod';
import { hostPort, programUrl } from '../config/instance.js';
import { pinned } from '../base/pinned.js';
import type { AgentAddress } from './client.js';

const zAnswer = z.object({ run: zRunRecord });
const zRefusal = z.object({ error: zErrorInfo });

/**
 * Sends the bytes of a bundle to an agent, and resolves with the imported run. Rejects with the agent's error, or
 * AGENT_UNREACHABLE.
 */
export async function uploadBundle(
  address: AgentAddress,
  file: Readable,
  again: boolean,
): Promise<RunRecord> {
  const { host, port, fingerprint, token } = address;
  const url = programUrl({ host, port });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = httpsRequest(`${url}/api/runs/import${again ? '?again=1' : ''}`, {
        method: 'POST',
        createConnection: pinned(fingerprint, hostPort(host, port)),
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-verbslab-run' },
      });
      // An agent that refuses answers before all has been sent; then the connection may end.
      sent.on('response', resolve).on('error', reject);
      file.on('error', (error) => {
        reject(error);
        sent.destroy();
      });
      file.pipe(sent);
    });
    const answer = parseJson(await text(response));
    file.destroy();
    if (response.statusCode === 201) return zAnswer.parse(answer).run;
    throw AppError.from(zRefusal.parse(answer).error);
  } catch (error) {
    if (error instanceof AppError || (error as NodeJS.ErrnoException).path !== undefined) throw error;
    throw new AppError('AGENT_UNREACHABLE', { url, detail: (error as Error).message }, { cause: error });
  } finally {
    file.destroy();
  }
}
