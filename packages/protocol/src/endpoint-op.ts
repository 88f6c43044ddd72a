import type { z } from 'zod';

/** One command of the endpoint RPC. */
export const op = <A extends z.ZodType, R extends z.ZodType>(args: A, result: R) => ({ args, result });
