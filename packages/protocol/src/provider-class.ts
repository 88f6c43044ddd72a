// No schemas here: pages use these words, and must not load a validator for them.

/**
 * Kinds of providers that do the NIC's work. Every figure of a run has one. `unknown`: a class that only another
 * version knows.
 */
export const PROVIDER_CLASSES = ['hardware', 'kernel', 'user-space', 'simulated', 'unknown'] as const;
export type ProviderClass = (typeof PROVIDER_CLASSES)[number];

/** Names on badges. */
export const PROVIDER_CLASS_NAME: Readonly<Record<ProviderClass, string>> = {
  hardware: 'hardware',
  kernel: 'kernel software',
  'user-space': 'user-space software',
  simulated: 'simulated',
  unknown: 'unknown provider',
};

export const PROVIDER_CLASS_TEXT: Readonly<Record<ProviderClass, string>> = {
  hardware: 'Hardware: the NIC moves the data; the CPU only posts and polls.',
  kernel: 'Kernel software (rxe, siw): the kernel does the NIC’s work on the CPU.',
  'user-space': 'User-space software: a library in the process does the NIC’s work on the CPU.',
  simulated: 'Simulated: the real engine in virtual time.',
  unknown: 'Unknown: this version of Verbs Lab does not know what does the NIC’s work.',
};

/** Name of the fabric simulator where a run names its device. */
export const SIMULATOR = 'vlsim';
