'use client';
import { createContext, useContext } from 'react';

/** True while records of an ended run are still being loaded, so that missing items may yet arrive. */
export const Replaying = createContext(false);

export const useReplaying = (): boolean => useContext(Replaying);
