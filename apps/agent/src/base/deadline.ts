/**
 * Calls `expired` after `ms`, once the event loop has read what had arrived by then: after a stall of this process its
 * timers run before its sockets are read. Returns how to call it off.
 */
export function deadline(ms: number, expired: () => void): () => void {
  let late: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (late = setImmediate(expired)), ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(late);
  };
}
