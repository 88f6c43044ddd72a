import type { LoopTable, LoopValues } from '@verbslab/protocol';
import { argumentError } from './errors.js';

/** Checks of arguments. An error says what was passed and what is allowed. */

const shown = (value: unknown): string => {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return `“${value}”`;
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || value === undefined)
    return String(value);
  return `a value of type ${typeof value}`;
};

export function integer(call: string, param: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw argumentError(
      call,
      param,
      `it is ${shown(value)}`,
      `Give a whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}.`,
    );
  }
  return value;
}

export function real(call: string, param: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !(value >= min && value <= max))
    throw argumentError(call, param, `it is ${shown(value)}`, `Give a number from ${min} to ${max}.`);
  return value;
}

const U64 = 0xffff_ffff_ffff_ffffn;

/** Checks a 64-bit value: a bigint, or a number that holds it exactly. */
export function u64(call: string, param: string, value: unknown): bigint {
  const asBig =
    typeof value === 'bigint' ? value : Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
  if (asBig === undefined || asBig < 0n || asBig > U64)
    throw argumentError(
      call,
      param,
      `it is ${shown(value)}`,
      'Give a bigint, or a whole number, from 0 to 2^64-1.',
    );
  return asBig;
}

export function flag(call: string, param: string, value: unknown): boolean {
  if (typeof value !== 'boolean')
    throw argumentError(call, param, `it is ${shown(value)}`, 'Give true or false.');
  return value;
}

export function text(call: string, param: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.includes('\0'))
    throw argumentError(call, param, `it is ${shown(value)}`, 'Give a non-empty string.');
  return value;
}

export function oneOf<T extends string>(
  call: string,
  param: string,
  value: unknown,
  allowed: readonly T[],
): T {
  if (!allowed.includes(value as T))
    throw argumentError(call, param, `it is ${shown(value)}`, `Choose one of: ${allowed.join(', ')}.`);
  return value as T;
}

export function instance<T>(
  call: string,
  param: string,
  value: unknown,
  type: abstract new (...args: never[]) => T,
): T {
  if (!(value instanceof type))
    throw argumentError(call, param, `it is ${shown(value)}`, `Give a ${type.name}.`);
  return value;
}

/** Options of a table in the addon's format: all options, with a choice as its index in the list. */
export function options<T extends LoopTable>(
  call: string,
  table: T,
  given: Partial<LoopValues<T>>,
  prefix = '',
): Record<keyof T, number | boolean | string> {
  const checked = Object.entries(table).map(([name, option]) => {
    const param = `${prefix}${name}`;
    const value = (given as Record<string, unknown>)[name] ?? option.fallback;
    switch (option.kind) {
      case 'choice':
        return [name, option.of.indexOf(oneOf(call, param, value, option.of))];
      case 'flag':
        return [name, flag(call, param, value)];
      case 'text':
        return [name, text(call, param, value)];
      case 'integer':
        return [name, integer(call, param, value, option.min, option.max)];
      case 'number':
        return [name, real(call, param, value, option.min, option.max)];
    }
  });
  return Object.fromEntries(checked) as Record<keyof T, number | boolean | string>;
}
