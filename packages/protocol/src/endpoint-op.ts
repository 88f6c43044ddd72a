import type { z } from 'zod';

/**
 * A command of the endpoint RPC. Its schemas are made at their first use: an endpoint lives for seconds and uses a few
 * of a hundred commands.
 */
export function op<A extends z.ZodType, R extends z.ZodType>(args: () => A, result: () => R) {
  const made: { args?: A; result?: R } = {};
  return {
    get args(): A {
      return (made.args ??= args());
    },
    get result(): R {
      return (made.result ??= result());
    },
  };
}
