import type { ErrorInfo } from '@verbslab/protocol';
import type { Failure } from '../ui/states';
import { AgentError } from './client';

/** Any thrown thing as what a page shows. */
export function toFailure(e: unknown): Failure {
  if (e instanceof AgentError) return infoToFailure(e.info);
  return {
    what: 'Something went wrong on this page.',
    cure: 'Reload it. If it happens again, report it with the details.',
    detail: e instanceof Error ? (e.stack ?? e.message) : String(e),
  };
}

export function infoToFailure(info: ErrorInfo | AgentError['info']): Failure {
  return {
    what: info.message,
    cure: info.cure,
    code: info.code,
    detail: info.detail ? `${info.code}\n${info.detail}` : info.code,
  };
}
