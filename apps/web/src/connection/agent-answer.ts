import type { ErrorInfo } from '@verbslab/protocol';

/** What an HTTP address of the agent answers: fields of what was asked for, or why not. */
export type AgentAnswer<T> = Partial<T> & { error?: ErrorInfo };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Null where something between the page and the agent answered, such as a proxy. */
export function agentAnswer<T extends object>(body: string): AgentAnswer<T> | null {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isObject(answer)) return null;
  const { error } = answer as { error?: unknown };
  if (error === undefined) return answer;
  return isObject(error) && 'message' in error ? answer : null;
}
