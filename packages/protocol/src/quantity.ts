/** Byte units: k and KiB are binary, kB is decimal. */
const SIZE: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};
const TIME: Readonly<Record<string, number>> = {
  '': 1,
  s: 1,
  sec: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
  min: 60,
};

/**
 * Parses "64 KiB", "3 s", "16", "0x10" as a number of `unit`s ("B", "s" or another word); null if it is invalid. The
 * form of a lab and `--set` of the command line accept the same input.
 */
export function parseQuantity(input: string, unit: string | undefined): number | null {
  const m = /^\s*(0x[0-9a-f]+(?=\s|$)|-?\d+(?:\.\d+)?(?:e\d+)?)\s*([a-zµ%/]*)\s*$/i.exec(input);
  if (!m) return null;
  const suffix = m[2]!.toLowerCase();
  const units: Readonly<Record<string, number>> =
    unit === 'B' ? SIZE : unit === 's' ? TIME : { '': 1, [unit?.toLowerCase() ?? '']: 1 };
  const factor = units[suffix];
  if (factor === undefined) return null;
  const value = Number(m[1]) * factor;
  return Number.isFinite(value) ? value : null;
}
