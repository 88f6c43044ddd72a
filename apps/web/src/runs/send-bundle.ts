// Sends a bundle to the agent. Loaded with the first import.
import { errorInfo, type ErrorInfo, type RunRecord } from '@verbslab/protocol';
import { BUNDLE_MAGIC, whatInstead } from '@verbslab/protocol/bundle';
import { agentAnswer } from '../connection/agent-answer';
import { infoToFailure } from '../connection/failure';
import type { Failure } from '../ui/states';

export type Answer = { imported: RunRecord } | { already: RunRecord } | { failure: Failure };

interface SendOptions {
  again: boolean;
  signal: AbortSignal;
  /** Called with the part that was sent, from 0 to 1. */
  onSent: (sent: number) => void;
}

/** Returns an error for a file of another kind, which then need not be sent. */
async function otherKind(file: File): Promise<ErrorInfo | null> {
  const first = new Uint8Array(await file.slice(0, BUNDLE_MAGIC.length).arrayBuffer());
  const same = BUNDLE_MAGIC.every((byte, index) => first[index] === byte);
  return same ? null : errorInfo('NO_BUNDLE', { detail: whatInstead(first) });
}

/** Sends a bundle. Rejects if the signal aborts it. */
export async function sendBundle(file: File, { again, signal, onSent }: SendOptions): Promise<Answer> {
  let other: ErrorInfo | null;
  try {
    other = await otherKind(file);
  } catch (error) {
    return {
      failure: {
        what: `${file.name} could not be read.`,
        why: (error as Error).message,
        cure: 'Check that the file is still there and that you may read it.',
      },
    };
  }
  if (other) return { failure: infoToFailure(other) };
  // XMLHttpRequest reports upload progress; fetch does not.
  const sent = new XMLHttpRequest();
  const stop = () => sent.abort();
  signal.addEventListener('abort', stop);
  try {
    return await new Promise<Answer>((resolve, reject) => {
      sent.open('POST', `/api/runs/import${again ? '?again=1' : ''}`);
      sent.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 1);
      sent.onload = () => resolve(answerOf(sent));
      sent.onabort = () => reject(new Error('The import was cancelled.'));
      sent.onerror = () => resolve({ failure: LOST });
      if (signal.aborted) reject(new Error('The import was cancelled.'));
      else sent.send(file);
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const LOST: Failure = {
  what: 'The connection to the agent was lost during the import. Nothing was imported.',
  cure: 'Check that the agent is still running, then import the file again.',
};

function answerOf({ status, responseText }: XMLHttpRequest): Answer {
  const { run, error } = agentAnswer<{ run: RunRecord }>(responseText) ?? {};
  if (status === 201 && run) return { imported: run };
  if (run) return { already: run };
  if (error) return { failure: infoToFailure(error) };
  return {
    failure: {
      what: `The import failed: HTTP status ${status}.`,
      cure: 'Reload the page, then import the file again.',
      detail: responseText.slice(0, 2000),
    },
  };
}
