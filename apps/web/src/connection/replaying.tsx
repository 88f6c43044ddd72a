'use client';
import { createContext, useContext } from 'react';

/** Whether records of a run that has ended are still on their way to the page, so that what is missing may yet come. */
export const Replaying = createContext(false);

export const useReplaying = (): boolean => useContext(Replaying);
