import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { AppError, parseJson, zErrorInfo } from '@verbslab/protocol';
import { z } from 'zod';
import { hostPort, programUrl } from '../config/instance.js';
import { pinned } from '../base/pinned.js';
import type { AgentAddress } from './client.js';

const zRefusal = z.object({ error: zErrorInfo });

async function refusal(response: IncomingMessage): Promise<Error> {
  try {
    return AppError.from(zRefusal.parse(parseJson(await text(response))).error);
  } catch {
    return new Error(`it answered HTTP ${response.statusCode ?? 0}`);
  }
}

/** GET of a file from an agent. Rejects with AGENT_UNREACHABLE, PEER_UNTRUSTED, or the agent's error. */
export async function download(address: AgentAddress, path: string): Promise<IncomingMessage> {
  const { host, port, fingerprint, token } = address;
  const url = programUrl({ host, port });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      httpsRequest(`${url}${path}`, {
        createConnection: pinned(fingerprint, hostPort(host, port)),
        headers: { Authorization: `Bearer ${token}` },
      })
        .on('error', reject)
        .on('response', resolve)
        .end();
    });
    if (response.statusCode === 200) return response;
    throw await refusal(response);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('AGENT_UNREACHABLE', { url, detail: (error as Error).message }, { cause: error });
  }
}
