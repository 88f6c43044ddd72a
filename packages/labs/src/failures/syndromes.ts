/** AETH syndromes: three bits of type (1: RNR NAK, 3: NAK), five bits of value. */
export const RC_NAK = { sequence: 0x60, invalidRequest: 0x61, remoteAccess: 0x62 } as const;

export const isRnrNak = (syndrome: number): boolean => syndrome >> 5 === 1;

/** `0x62`. */
export const hexByte = (value: number): string => `0x${value.toString(16).padStart(2, '0')}`;
