/** Options that several commands have, and how their values are read. */
import { MAX_SWEEP_RUNS } from '@verbslab/protocol';
import { InvalidArgumentError, Option } from 'commander';
import { LOG_LEVELS } from '../base/log.js';

/** `name=value`, collected by name. */
export function collect(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must look like name=value.');
  return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
}

/** Collects the values of an option that can be repeated. */
export const list = (text: string, before: string[] = []): string[] => [...before, text];

const MAX_SECONDS = 86_400;

export function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > MAX_SECONDS)
    throw new InvalidArgumentError(`It must be a number from 0 to ${MAX_SECONDS}.`);
  return value;
}

export function repetitions(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_SWEEP_RUNS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_SWEEP_RUNS}.`);
  return count;
}

export const logLevelOption = (): Option =>
  new Option('--log-level <level>', 'how much to log to stderr if this command starts an agent')
    .choices(LOG_LEVELS)
    .default('warn');
