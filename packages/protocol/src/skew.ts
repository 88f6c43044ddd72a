// Reads messages of other versions. Words that only the other version knows must not invalidate the rest of a message.
import { z } from 'zod';

/** Longest word that is accepted. */
const MAX_WORD = 64;

const isForeign = (values: readonly string[], raw: unknown): boolean =>
  typeof raw === 'string' && raw.length <= MAX_WORD && !values.includes(raw);

/** A value of `values`. A word that only another version knows becomes `neutral`. */
export const zKnown = <const T extends readonly [string, ...string[]]>(
  values: T,
  neutral: NoInfer<T[number]>,
) => z.preprocess((raw) => (isForeign(values, raw) ? neutral : raw), z.enum(values));

/** A list of some of `values`, without the words that only another version knows. */
export const zKnownList = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(
    (raw) => (Array.isArray(raw) ? raw.filter((word) => !isForeign(values, word)) : raw),
    z.array(z.enum(values)),
  );

/** A list of objects, without those that have in `key` a word that only another version knows. */
export const zKnownEntries = <T extends z.ZodObject>(
  entry: T,
  key: keyof T['shape'] & string,
  values: readonly string[],
) =>
  z.preprocess(
    (raw) =>
      Array.isArray(raw)
        ? raw.filter((one) => !isForeign(values, (one as Record<string, unknown> | null)?.[key]))
        : raw,
    z.array(entry),
  );
