/** A member of what was recorded, which may be of any shape; undefined where it has none of that name. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
