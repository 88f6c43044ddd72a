import type { ErrorInfo } from '@verbslab/protocol';

/** Body of the agent's HTTP answers: the requested fields, or an error. */
export type AgentAnswer<T> = Partial<T> & { error?: ErrorInfo };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Parses an answer. Null if it is not the agent's, but for example that of a proxy in between. */
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
