/** Joins class names. No class wins over another by coming later: where two would collide, let a condition choose. */
export { clsx as cn } from 'clsx';
