const MAX_PORTS = 16;

/** UDP ports that a text lists; null where it lists something else. */
export function portsOf(text: string): number[] | null {
  if (text.trim() === '') return [];
  const ports = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  const right = ports.length <= MAX_PORTS && ports.every((n) => Number.isInteger(n) && n >= 1 && n <= 65_535);
  return right ? ports : null;
}
