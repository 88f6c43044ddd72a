/**
 * The same object for the same key. Recharts compares props by identity and lays its axes out anew for every new
 * array or object; while a run streams, only the data may change.
 */
const kept = new Map<string, unknown>();
const LIMIT = 512;

export function same<T>(key: string, make: () => T): T {
  const old = kept.get(key);
  if (old !== undefined) return old as T;
  if (kept.size >= LIMIT) kept.clear();
  const made = make();
  kept.set(key, made);
  return made;
}
